// options: --keep-going
// expect: violated assertion states=19 events=26 deadlocks=0
// What the receiver does is part of an event of the sender.
chan c = [0] of { byte };
byte x;
active proctype R() { byte y; y = x; assert(y == 1) }
active proctype Q() { c!1 }
active proctype P() { c?x }
