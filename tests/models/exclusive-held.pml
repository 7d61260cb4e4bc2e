// options: --keep-going
// expect: violated exclusive-channel states=5 events=9 errors=6 deadlocks=1
// also: cc
// In the midst of sequences, and in a handshake.
chan q = [1] of { byte };
chan r = [0] of { byte };
byte g;
active proctype C() { byte x; xr q; xr r; (g == 3) -> q?x }
active proctype B() { byte x; atomic { g = 1; if :: q?x :: else fi } }
active proctype D() { byte x; d_step { (g == 1) -> g = 2; if :: q?x :: else fi } }
active proctype E() { byte x; if :: r?x :: (g == 1) -> g = 3 fi }
active proctype F() { r!1 }
