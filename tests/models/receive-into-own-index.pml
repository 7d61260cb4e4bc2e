// The variable that says which channel it is changes with the receive: the way back must know
// the channel from before. (Spin's verifier puts the message back into the other channel.)
// expect: verified states=30 events=47
// also: cc
byte g;
chan c[2] = [1] of { byte };
init {
  c[0]!1;
  c[g]?g;
  if :: g = 0 :: g = 1 fi;
  (len(c[0]) + len(c[1]) == 0)
}
active proctype Q() {
  byte k;
  k = 1;
  k = 2
}
