// set_priority of a process that may be gone does nothing. (Spin's verifier, coming back from
// such a step, restores a priority that it has not saved: it counts 35 states. With that
// mended it counts as here.)
// options: --keep-going
// expect: verified states=29 events=43
mtype = { red, green };
typedef T { byte a; bit f[2] };
byte g0;
T t;
chan c0 = [1] of { byte, mtype, byte };
active proctype P0() {
  byte x, y;
  mtype m = red;
  c0!!0,green,1;
  atomic { set_priority(1, 2); atomic { c0??g0,m,x; y = (y + 1) % 2; skip }; atomic { c0!0,red,2; t.f[y % 2] = 0 } }
}
active [2] proctype P1() priority 2 {
  byte x, y;
  mtype m = red;
  t.a = !t.a;
  end1: t.a = ((0 + 0)) % 2;
  { m = red }
}
