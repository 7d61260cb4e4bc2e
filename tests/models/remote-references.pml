// options: --keep-going
// expect: violated states=80 events=134 errors=5
// also: cc
// Labels and variables of other processes.
byte x; 
active [2] proctype P() { byte v; v = _pid; L: x++; M: (P[0]@M); v = x }
active proctype Q() { byte w; (P[1]@L && P[0]@L) -> w = P[0]:v + P[1]:v }
