// options: --property safety
// expect: verified states=7 events=6
// A formula asks about it, so that states that differ in it are two.
hidden byte h; byte x;
ltl p { [] (h < 2) }
active proctype P() { if :: h = 1 :: h = 2 fi; x = 1 }
