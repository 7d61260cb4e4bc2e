// rule: A label is in front of a statement, also of the first one of a block.
// cairn: verified 3 2
// spin: refused
byte x;
active proctype P() { atomic { L: x++; if :: x < 3 -> goto L :: else fi } }
