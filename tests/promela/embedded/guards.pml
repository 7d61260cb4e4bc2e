// c_expr as a guard beside others, with else.
byte x;
active [2] proctype P() {
  do
  :: c_expr { now.x < 2 } -> x++
  :: x > 0 && x < 3 -> x--
  :: c_expr { now.x == 2 } -> c_code { now.x = 9; }
  :: else -> break
  od
}
