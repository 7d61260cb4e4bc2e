/* Macros with the wrong number of arguments. */
#define MAX(a, b) ((a) > (b) -> (a) : (b))
init {
  byte x;
  x = MAX(1)
}
