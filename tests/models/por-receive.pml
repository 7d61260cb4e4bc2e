// options: --keep-going
// expect: violated assertion states=11 events=12 deadlocks=0
// The receive is possible only after the other process has sent.
chan c = [1] of { bit };
active proctype Q() { c!1 }
active proctype P() { if :: skip :: c?1 -> assert(false) fi }
