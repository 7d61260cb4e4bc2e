// rule: A rendezvous send happens only with its partner: one that nobody takes is no event of a trace.
// cairn: verified 4 3
// spin: 4 4 5
chan d = [0] of { byte };
byte x;
active proctype P() { end: d!1 }
active proctype Q() { x = 1; x = 2; x = 3; end: false }
trace { d!2 }
