// Dead variables: what is written before it is read again, in processes that go on and in those
// that have ended; and what must not be forgotten.
byte shared, unread;
chan line = [1] of { byte };

active proctype reader() {
  byte x, y, again[2];
  x = 1;
  shared = x;
  y = x;
  x = 2;
  again[0] = y;
  again[1] = x;
  assert(again[0] == 1 && again[1] == 2 && shared >= 1)
}

active proctype sender() {
  byte v = 3;
  do
  :: v = 1; line!v
  :: v = 2; line!v
  od
}

active [2] proctype taker() {
  byte a, b, all[3];
  do
  :: line?a -> b = a; all[b] = b; unread = b; assert(all[b] == a)
  :: shared >= 1 -> break
  od;
  b = 7
}

active proctype watcher() {
  shared == 1;
  shared = 2
}
