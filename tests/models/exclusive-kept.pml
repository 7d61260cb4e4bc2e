// expect: verified states=12
// also: cc
// One after the other, so that the claims never meet; q[i] may be either channel as far as is known.
chan q[2] = [2] of { byte };
byte turn;
proctype A(byte i) { xs q; q[i]!i; turn++ }
init { run A(0); (turn == 1 && _nr_pr == 1) -> run A(1); (_nr_pr == 1) }
