// Fields of structures in structures.
typedef In { byte v[2]; int n }
typedef Out { In a[2]; bool flag; byte z }
Out o;
active [2] proctype P() { Out mine; c_code { now.o.a[1].v[0]++; now.o.a[0].n = -now.o.a[1].v[0]; PP->mine.a[0].v[1] = 4; PP->mine.flag = 1; now.o.z += PP->mine.a[0].v[1]; };
  assert(mine.flag && mine.a[0].v[1] == 4 && o.a[0].n < 0) }
