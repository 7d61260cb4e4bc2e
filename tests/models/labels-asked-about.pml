// expect: verified
// options: --property safety
// expect: verified states=7 events=6
// options: --property safety --invariant "!P[0]@M"
// expect: violated invariant length=4
// A label in front of a goto is a place as soon as anything asks about it: a formula, or the
// command line; else it is passed over.
byte x;
ltl p { [] (P[0]@L -> x == 1) }
active proctype P() {
  x = 1; L: goto N; x = 5; N: x = 0;
  do :: x < 1 -> M: goto O :: x > 5 -> break od;
  O: x = 3
}
