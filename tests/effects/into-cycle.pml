/* A way into a cycle, for claims that can be in several of their components at once. */
byte x;
active proctype P() {
  do
  :: x < 49 -> x++
  :: x == 49 -> x = 20
  od
}
never {
A:
  do
  :: x < 10 -> goto accept_A
  :: x >= 10
  :: true -> goto B
  od;
accept_A:
  do
  :: x < 10 -> goto accept_A
  :: x >= 10 -> goto A
  :: true -> goto B
  od;
B:
  do
  :: x == 200 -> goto accept_B
  :: x != 200
  od;
accept_B:
  do
  :: true -> goto B
  od
}
