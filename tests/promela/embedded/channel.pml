// The number of a channel is a value of C.
chan c = [2] of { byte };
chan d = [1] of { byte };
byte x, same;
active proctype P() { c!1; c_code { now.same = now.c != now.d; }; d!same; c?x }
active proctype Q() { byte y; d?y; assert(y == 1) }
