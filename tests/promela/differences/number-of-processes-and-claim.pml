// rule: _nr_pr is the number of processes; a never claim is none.
// cairn: verified 4 3
// spin: 4 5 1
byte n;
active proctype P() { n = _nr_pr; assert(n == 1) }
never { do :: true od }
