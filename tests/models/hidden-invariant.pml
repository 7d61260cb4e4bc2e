// options: --invariant "h < 2"
// expect: violated invariant length=2
// options: --invariant "x < 2"
// expect: verified states=5 events=4
// What the command line asks about is kept in the state.
hidden byte h; byte x;
active proctype P() { h = 1; h = 2; x = 1 }
