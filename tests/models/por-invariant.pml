// options: --keep-going --invariant '!(x == 2 && y == 1)'
// expect: violated invariant states=13 events=18 deadlocks=0
// Each step is local to its process, but the invariant looks at both.
byte x, y;
active proctype P() { x = 1; x = 2 }
active proctype Q() { y = 1; y = 2 }
