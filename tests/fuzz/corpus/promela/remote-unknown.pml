/* Labels and variables that the other process does not have. */
proctype P() { byte y, a[2]; L: skip }
active proctype Q() {
  P[1]@M;
  P[1]:z == 1;
  P[1]:a == 1;
  P[1]:y == 1
}
