/* Where x goes round the claim has left the component in which it accepts. */
byte x;
active proctype P() {
  do
  :: x < 99 -> x++
  :: x == 99 -> x = 50
  od
}
never {
accept_A:
  do
  :: x < 50 -> goto B
  :: x >= 40 -> goto C
  od;
B:
  do
  :: x < 50 -> goto accept_A
  od;
C:
  do
  :: true
  od
}
