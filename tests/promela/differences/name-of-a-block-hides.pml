// rule: A name is known in its block, and hides one outside.
// cairn: verified 5 4
// spin: refused
active proctype P() { byte x = 1; { byte x = 2; assert(x == 2) }; assert(x == 1) }
