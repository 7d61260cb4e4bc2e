/* Passes a label accept again and again, but has no cycle. */
byte x;
active proctype P() {
  do
  :: x < 100 -> accept: x++
  :: else -> break
  od
}
