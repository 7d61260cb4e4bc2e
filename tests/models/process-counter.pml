// expect: verified states=15 events=18
// Where a process is, as a number.
byte x;
active [2] proctype P() { x = 1; (P[1 - _pid]:_p == P[_pid]:_p || x == 2); x = 2 }
