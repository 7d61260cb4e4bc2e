// options: --keep-going
// expect: verified states=39 events=55 errors=0
// also: cc
// The priority named at a run is the process's; a proctype's own is for active ones.
byte x; proctype B(byte n) priority 2 { x=n; x=n+1 }
init { run B(3) priority 4; run B(5); x=1; _priority=1; x=2; x=7 }
