// expect: violated claim-violated
// also: cc
// A message goes around, and nobody sees it; R must not be put off for that.
chan q = [1] of { byte }, r = [1] of { byte };
bool flag;
active proctype P() { byte x; do :: q?x -> r!x od }
active proctype Q() { byte x; q!1; do :: r?x -> q!x od }
active proctype R() { flag = true }
ltl never_set { [] !flag }
