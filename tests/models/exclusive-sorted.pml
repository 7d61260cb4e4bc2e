// options: --keep-going
// expect: violated assertion states=16 events=19 errors=2
// also: cc
// A sorted send may come in front of the message that is received, which a claim does not rule out.
chan q = [2] of { byte };
active proctype C() { byte x; xr q; q?x; assert(x == 2) }
active proctype S() { q!!2; q!!1 }
