// options: --keep-going
// expect: verified states=9 events=8
// An initial value of a process, or an argument, reads it.
hidden byte h = 3, k;
proctype Q(byte z) { byte y = h; assert(y == 4 && z == 5) }
init { h = 4; k = 5; run Q(k); (_nr_pr == 1); assert(h == 4) }
