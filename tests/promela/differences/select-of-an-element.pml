// rule: select takes any variable, also an element of an array.
// cairn: verified 9 8
// spin: refused
byte a[2];
active proctype P() { select(a[1] : 0 .. 3) }
