// expect: violated claim-violated
// also: cc
// The same with handshakes, and the one who only sends.
chan q = [0] of { byte }, r = [2] of { byte };
bool flag;
active proctype P() { byte x; do :: q?x od }
active proctype Q() { byte x; do :: q!x od }
active proctype S() { do :: r!1 od }
active proctype T() { byte x; do :: r?x od }
active proctype R() { flag = true }
ltl never_set { [] !flag }
