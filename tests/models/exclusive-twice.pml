// options: --keep-going
// expect: violated exclusive-channel states=18 events=26 errors=4
// also: cc
// Two instances make the same claim; the second may come after the first has gone.
chan q = [1] of { byte };
proctype A() { xs q; q!1 }
active proctype C() { byte x; xr q; q?x; q?x }
init { run A(); run A() }
