// options: --keep-going
// expect: violated assertion states=19 events=26 deadlocks=0
// The index is another one when it is used the second time.
byte a[2];
active proctype Q() { byte m = 1; m = a[0]; assert(m == 1) }
active proctype P() {
  byte k = 1, n;
  d_step { do :: n < 2 -> a[k] = 1; k = 0; n++ :: else -> break od }
  k = 1
}
