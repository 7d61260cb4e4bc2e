// A variable of a process that has ended is a model error where it is read.
// expect: violated model-error length=5
proctype q() {
  byte x = 5;
  x = 6
}

init {
  run q();
  _nr_pr == 1;
  assert(q[1]:x == 0)
}
