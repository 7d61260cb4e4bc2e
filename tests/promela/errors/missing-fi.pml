/* A selection that is never closed. */
active proctype P() {
  byte x;
  if
  :: x == 0 -> x = 1
  :: else -> skip
}
active proctype Q() { skip }
