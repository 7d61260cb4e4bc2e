// options: --property safety --invariant "!P[0]@A"
// expect: violated invariant length=1
// options: --property safety --invariant "!P[0]@B"
// expect: violated invariant length=2
// options: --property safety --invariant "!P[0]@C"
// expect: violated invariant length=3
// options: --property deadlock
// expect: verified states=6 events=5
// Who is in front of a block is at the label that the block begins with, also of a block in it.
// Spin refuses such labels.
byte x;
active proctype P() {
  x = 1;
  atomic { A: x = 2; x = 3 }
  d_step { B: x = 4; x = 5 }
  { { C: x = 6; x = 7 } }
  { end: x == 8 }
}
