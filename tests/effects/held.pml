// A cycle of control that an atomic sequence and merged steps would close together: without a
// state on it that is stored, the other process would never move.
byte g;
active proctype P() { byte a; do :: atomic { a = 1 - a; g = a }; a = a od }
active proctype Q() { g == 1 -> assert(false) }
