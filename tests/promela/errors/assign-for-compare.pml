/* = where == is meant. */
byte x;
active proctype P() {
  if
  :: x = 1 -> skip
  :: (x = 2) -> skip
  :: x + 1 = 2 -> skip
  fi
}
