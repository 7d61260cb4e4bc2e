// rule: A declaration has one or more declarators, each with its initialiser.
// cairn: verified 4 3
// spin: refused
chan a = [1] of { byte }, b = [2] of { byte };
active proctype P() { a!1; b!2 }
