// options: --keep-going
// expect: violated invalid-end-state states=16 events=15 deadlocks=2
// The same where a guard asks more than for a timeout.
bool a, b, c = true;
active proctype P() { (timeout && c); a = true; b == false }
active proctype Q() { (timeout && c && !b); b = true; a == false }
active proctype R() { byte x; x = 1; x = 2; x = 3 }
