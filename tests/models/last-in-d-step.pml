// A d_step is one move: inside of it _last is still the process that moved before it.
// expect: verified states=5 events=4
byte seen = 9;
proctype P() {
  d_step { true; seen = _last; assert(seen == 0) }
}
init {
  atomic { run P(); skip }
}
