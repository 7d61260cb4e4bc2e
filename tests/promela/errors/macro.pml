/* A mistake inside of a macro is told where it is used. */
#define INC(v) v = v + one
#define TWICE(v) INC(v); INC(v)
init {
  byte x;
  TWICE(x)
}
