// options: --keep-going
// expect: violated assertion states=15 events=22 deadlocks=0
// The sequence is interrupted if nobody waits for its handshake yet.
chan c = [0] of { bit };
byte a;
active proctype M() { assert(a == 0) }
active proctype Q() { atomic { a = 1; c!1 } }
active proctype R() { skip; atomic { c?1; a = 0 } }
