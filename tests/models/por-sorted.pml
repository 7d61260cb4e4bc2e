// options: --keep-going
// expect: violated assertion states=14 events=15 deadlocks=0
// 5 goes in front of 7, if it comes before that is taken.
chan c = [2] of { byte };
active proctype P() { c!7; c!!5 }
active proctype Q() { byte x; c?x; assert(x == 7) }
