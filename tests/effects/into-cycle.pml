/* A way into a cycle, for claims that can be in several of their components at once. */
byte x;
active proctype P() {
  do
  :: x < 49 -> x++
  :: x == 49 -> x = 20
  od
}
