// options: --keep-going
// expect: violated exclusive-channel states=10 events=20 errors=5
// also: cc
// B must not receive, also where C has taken the only message before.
chan q = [1] of { byte };
byte g;
active proctype C() { byte x; xr q; q?x }
active proctype B() { byte x; g = 1; q?x }
active proctype A() { q!1 }
