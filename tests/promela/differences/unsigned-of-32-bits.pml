// rule: An unsigned has 1 to 32 bits.
// cairn: verified 3 2
// spin: refused
unsigned z : 32;
active proctype P() { z = 5 }
