// options: --keep-going
// expect: violated assertion states=17 events=22 deadlocks=0
// The guard finds room for one message. The second send blocks unless a message was taken before,
// so that what was done by then can be seen.
chan c = [2] of { bit };
bit w, y, n;
active proctype Q() { end: atomic { w == 1 && y == 0 -> assert(false) } }
active proctype P() { c!0; atomic { nfull(c) -> w = 1; c!1; c!1; y = 1 } }
active proctype R() { c?_ }
