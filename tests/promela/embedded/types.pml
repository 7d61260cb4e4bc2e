// All types, cut to what they hold.
bit b; bool l; byte y; short s; int i; unsigned u : 3; mtype m; pid p;
mtype = { one, two, three };
active proctype P() { c_code { now.b = 3; now.l = 2; now.y = 300; now.s = 70000; now.i = -5; now.u = 13; now.m = 2; now.p = 7; };
  assert(b == 1 && l == 0 && y == 44 && s == 4464 && i == -5 && u == 5 && m == two && p == 7) }
