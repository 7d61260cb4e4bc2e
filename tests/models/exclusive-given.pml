// options: --keep-going
// expect: violated exclusive-channel states=6 events=9 errors=3
// also: cc
// The channel is given to S, which may be anybody's.
chan q = [1] of { byte };
proctype S(chan c; byte v) { c!v }
active proctype A() { xs q; (_nr_pr == 2) -> q!1 }
init { run S(q, 2) }
