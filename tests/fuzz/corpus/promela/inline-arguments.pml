/* Calls of inlines, and mistakes inside of their bodies. */
inline set(a, b) {
  a = b;
  wrong = a
}
init {
  byte x;
  set(x);
  set(x, 1, 2);
  set(x, y = 1);
  set(x, 2)
}
