/* Inlines cannot call themselves. */
inline f(a) { a = 1; g(a) }
inline g(b) { f(b) }
init {
  byte x;
  f(x)
}
