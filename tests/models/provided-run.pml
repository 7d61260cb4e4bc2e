// options: --keep-going
// expect: violated states=84 events=125 errors=4
// also: cc
// provided in processes that come and go.
byte turn; proctype W(byte n) provided (turn != _pid) { turn = _pid; n++; d_step { turn=0; n=0 }; atomic { n++; n++; turn = 3; n=0 } }
init { run W(1); run W(2); turn = 2; (_nr_pr == 1) }
