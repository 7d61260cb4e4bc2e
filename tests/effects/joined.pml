// What may be merged, and what may not: each process has one reason.
byte shared, seen;
chan door = [0] of { byte };

active proctype own() { byte a; shared = 1; a = 2; a = a + 1; assert(a == 3) }
active proctype alone() { seen = 1; seen = 2; seen = 3 }
active proctype sender() { byte b; door!1; b = 1; b = 2; shared = 2 }
active proctype taker() { byte d; door?d; d = d + 1; d = d + 1; shared = 3 }
active proctype looked_at() { byte e; e = 1; here: e = 2; e = 3 }
active proctype looker() { do :: looked_at@here -> break :: else -> break od }
