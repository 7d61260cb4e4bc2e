// rule: (c -> a : b) is an expression, also in a formula.
// asks: --claim f
// cairn: verified 4 4
// spin: refused
byte x;
active proctype P() { x = 1; x = 2 }
ltl f { [] (x == 0 -> 1 : x > 0) }
