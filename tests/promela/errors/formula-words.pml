byte z;
active proctype P() { z = 300 % 0 }
ltl p { G (z < 2) }
