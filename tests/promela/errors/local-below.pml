/* Locals of processes that are declared below, and names that are none. */
active proctype P() {
  z = 2;
  given = 1;
  second = 3;
  other = 4;
  nowhere = 5
}
proctype Q(byte given) {
  byte z, second = 1;
  if :: z == 1 -> second = given :: else fi
}
init { byte other = nowhere }
