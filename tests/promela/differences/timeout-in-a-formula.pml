// rule: timeout in a formula is true where no process can move, whatever its automaton can do.
// asks: --claim f
// cairn: verified 2 1
// spin: 5 6 0
byte x;
active proctype P() { x = 1; x = 2; x = 3 }
ltl f { <> (!timeout && x == 1) }
