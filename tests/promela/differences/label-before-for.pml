// rule: A label is in front of the statement, with all that it does.
// cairn: verified 25 24
// cairn --spin: violated assertion 20 19
// note: a goto in Spin jumps
// spin: 20 20 1
byte x, i;
active proctype P() {
  L: for (i : 1 .. 3) { x++; if :: x == 2 -> goto L :: else fi };
  assert(x == 5)
}
