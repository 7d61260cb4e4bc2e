/* Remote references. */
proctype P() { byte y; L: skip }
active proctype Q() {
  P[1]@M;
  P[1]:z == 1;
  P[1]@L;
  P[1]:y == 1;
  R[1]@L
}
