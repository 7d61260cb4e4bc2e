/* Loops over ranges, arrays and channels. */
chan q = [1] of { byte };
init {
  byte i, a[3];
  for ( : 1 .. 2) { skip };
  for (i : 1 - 2) { skip };
  for (i in i) { skip };
  for (i in q) { skip };
  for (a[0] : 1 .. 2) { skip };
  select (i : 3 .. 1);
  for (i in a) { skip }
}
