/* What those write in a process who come from C, too. */
byte b;
active proctype A() {
  byte mine;
  mine = 1;
  assert(b == 1, "b");
  printf(b);
  if :: b == 1 { b = 2 } :: else fi;
  return 1
}
active proctype B() {
  mine = 2;
  b = NULL
}
