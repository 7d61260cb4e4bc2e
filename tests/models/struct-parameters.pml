// expect: verified states=24 events=33
// also: cc
// A struct given to run brings its channel and its values along: no new channel is made for
// the parameter, and what the typedef says it begins with does not count.
typedef in { byte b = 8 };
typedef port { chan d = [1] of { byte }; byte z = 3; in i };
port p[2];
proctype a(port x; byte n; port y) {
  x.d!5; y.d!6; assert(x.z == 3 && y.z == 9 && n == 7 && x.i.b == 8 && y.i.b == 2)
}
init {
  byte y; p[1].z = 9; p[1].i.b = 2; run a(p[0], 7, p[1]);
  p[0].d?y; assert(y == 5); p[1].d?y; assert(y == 6); (_nr_pr == 1)
}
