// rule: Nothing else happens in the middle of a handshake.
// cairn: verified 70 128
// note: in the middle of a handshake
// spin: 70 136 0
chan q = [0] of { bit };
byte x;
active proctype D() { d_step { assert(true); x = 3 } }
active proctype S() { q!1; x = 1 }
active proctype R() { bit y; q?y; x = 2 }
active proctype E() { d_step { printf("x\n"); x = 3 } }
