// rule: A hidden variable has the value that was written last; where that must be stored, it is.
// cairn: violated assertion 13 12
// note: is kept in the state
// spin: 9 10 0
hidden byte h;
byte x;
active proctype P() { do :: x == 0 -> h = 1; x = 1 :: x == 0 -> h = 2; x = 1 :: x == 1 -> assert(h == 1); break od }
