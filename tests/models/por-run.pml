// options: --keep-going
// expect: violated assertion states=11 events=14 deadlocks=0
// A process that does not live yet will write x.
byte x;
proctype C() { x = 1 }
active proctype Q() { assert(x == 0) }
active proctype I() { run C() }
