// options: --keep-going
// expect: verified states=87 events=165 errors=0
// also: cc
// Macros of macros, # and ##.
#define P(n) proctype proc##n() { x = n; printf("%d\n", x) }
#define A B
#define B 2
#define MAX(a, b) \
  ((a) > (b) -> (a) : (b)) /* c */
byte x = A; active P(1) active P(2)
init { x = MAX(x, 3) // hi
; assert(x >= 3 || x<3) }
