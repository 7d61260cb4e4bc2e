// options: --keep-going
// expect: violated invalid-end-state states=12 events=11 deadlocks=2
// Each may be the first whose timeout fires, and the other is stuck then: two invalid ends.
bool a, b;
active proctype P() { timeout; a = true; b == false }
active proctype Q() { timeout; b = true; a == false }
