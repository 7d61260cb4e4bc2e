// options: --keep-going
// expect: violated assertion states=18 events=29 deadlocks=0
// Q can end in the midst of P's sequence only if it is over by then: P runs on, or is interrupted.
byte a;
active proctype P() { atomic { a = 1; _nr_pr <= 2; a = 0 } }
active proctype M() { assert(a == 0) }
active proctype Q() { skip }
