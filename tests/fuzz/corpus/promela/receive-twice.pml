/* One variable for two fields. */
chan q = [1] of { byte, byte };
init {
  byte x, a[2];
  q?x,x;
  q?a[0],a[1];
  q?x + 1,x
}
