// options: --keep-going
// expect: violated assertion states=17 events=22 deadlocks=0
// One statement that sends, done twice: the second time it may block.
chan c = [2] of { bit };
bit w, y, n;
active proctype Q() { end: atomic { w == 1 && y == 0 -> assert(false) } }
active proctype P() { c!0; atomic { nfull(c) -> w = 1; do :: c!1; if :: n == 1 -> break :: else -> n = 1 fi od; y = 1 } }
active proctype R() { c?_ }
