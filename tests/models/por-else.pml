// options: --keep-going
// expect: violated assertion states=13 events=15 deadlocks=0
// Whether the else is executable depends on what the other process sends.
chan c = [1] of { bit };
active proctype P() { if :: c?1 :: else -> assert(false) fi }
active proctype Q() { c!1 }
