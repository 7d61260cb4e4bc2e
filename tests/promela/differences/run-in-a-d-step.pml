// rule: run is a statement like others.
// cairn: verified 5 4
// spin: refused
byte x;
proctype Q() { x = 1 }
active proctype P() { d_step { x = 5; run Q() } }
