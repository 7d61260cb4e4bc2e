// expect: verified states=6 events=5
// also: cc
// The channel is found once, before the fields are received. (Spin's verifier takes the
// second field, and the message away, from q[1].)
chan q[2] = [1] of { byte, bit };
byte s;
active proctype P() {
  bit b;
  q[0]!1,1;
  q[1]!0,0;
  q[s]?s,b;
  assert(b == 1 && len(q[0]) == 0 && len(q[1]) == 1)
}
