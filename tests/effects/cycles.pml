/* P counts round, Q runs beside it after it has passed an accept label once, and R can move only
 * when P has come to the end. */
byte x;
bit y, z;
active proctype P() {
  do
  :: x < 20 -> x++
  :: x == 20 -> progress: x = 0
  od
}
active proctype Q() {
  accept: y = 1;
  do
  :: y = 1 - y
  od
}
active proctype R() {
  x == 20 -> z = 1;
  false
}
ltl p { [] <> (x == 20) }
ltl q { [] (x <= 20) }
ltl r { <> (z == 1) }
