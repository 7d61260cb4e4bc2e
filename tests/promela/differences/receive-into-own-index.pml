// rule: A receive finds its channel once, and then assigns.
// cairn: violated invalid-end-state 46 92
// note: its search loses states
// spin: no end
byte i, x;
chan q[2] = [1] of { byte };
active proctype P() { q[0]!1; q[1]!0; do :: q[i]?i :: x < 2 -> x++ od }
active proctype R() { do :: q[0]!1 :: q[1]!0 od }
