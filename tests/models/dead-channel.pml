// expect: violated model-error
// A channel of a process that is no more: its number may be another channel's, or none's.
chan g = [1] of { chan };
proctype A() {
  chan l = [1] of { byte };
  l!3;
  g!l
}
init {
  chan x;
  byte v;
  run A();
  g?x;
  (_nr_pr == 1);
  x?v
}
