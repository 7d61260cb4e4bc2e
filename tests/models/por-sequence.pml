// options: --keep-going
// expect: violated assertion states=7 events=8 deadlocks=0
// The first step of the sequence concerns nobody, the second does.
byte x;
active proctype Q() { assert(x == 1) }
active proctype P() { atomic { skip; x = 1 } }
