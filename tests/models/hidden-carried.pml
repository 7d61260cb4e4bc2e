// expect: verified states=7 events=6
// also: cc
// A hidden variable that a later step reads is kept in the state.
hidden byte h = 2;
byte x;
active proctype P() { assert(h == 2); h = 1; assert(h == 1); x = 1; x = 0 }
