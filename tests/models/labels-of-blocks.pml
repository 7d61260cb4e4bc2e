// expect: verified states=6 events=5
// Labels of one name in several blocks: a goto takes that of its own block, and one from
// outside the last of them; P@L holds at each.
byte x, n;
active proctype P() {
  if
  :: { x = 1; if :: n == 0 -> n = 1; goto L :: else fi; x = 77; L: x = x + 1 }
  :: { x == 9; L: x = x + 2 }
  fi
}
