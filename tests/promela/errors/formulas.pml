/* Formulas: what [] belongs to, and names that are not there. */
byte x;
init { end1: x = 1 }
proctype P() { byte y; L: skip }
ltl always_implies { [] x -> <> (x == 1) }
ltl unknown { [] (z == 1) }
ltl open { [] (x == 1 }
ltl same { true }
ltl same { true }
ltl worded { always (x == 1) implies eventually x }
