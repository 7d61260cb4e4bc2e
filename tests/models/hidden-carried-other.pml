// options: --keep-going
// expect: violated states=9 events=10 errors=2
// Another process reads it, or one that has to wait inside of its atomic sequence.
hidden byte h; hidden short k[2] = -1;
chan c = [1] of { byte };
active proctype P() { atomic { h = 1; c!5; c!6; assert(h == 1) } }
active proctype Q() { byte y; c?y; assert(h == 0 && k[0] == -1) }
