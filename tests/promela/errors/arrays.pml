/* Arrays and structs as a whole. */
typedef T { byte f; byte g[2] };
byte a[3];
byte x;
T t, u[2];
init {
  a = 1;
  x[1] = 2;
  t = 1;
  t.g = 1;
  t.h = 1;
  u.f = 1;
  x.f = 1;
  x = t + 1
}
