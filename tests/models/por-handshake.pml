// options: --keep-going
// expect: violated assertion states=9 events=11 deadlocks=0
// What the receiver does is part of an event of the sender.
chan c = [0] of { byte };
byte x;
active proctype R() { assert(x == 1) }
active proctype Q() { c!1 }
active proctype P() { c?x }
