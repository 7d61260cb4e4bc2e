// That it is deterministic is not checked, and so said.
// expect: inconclusive states=14 events=14
// options: --property safety
// expect: verified states=14 events=14
byte x;
active D_proctype A() {
  do
  :: x < 3 -> x++
  :: x < 2 -> x = 7
  :: else -> break
  od
}
