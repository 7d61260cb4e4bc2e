// options: --keep-going
// expect: violated model-error states=5 events=8 errors=3
// also: cc
// A priority is a number from 1 to 255.
byte x;
active proctype P() {
  byte y;
  if
  :: set_priority(_pid, x)
  :: set_priority(_pid, x + 256)
  :: set_priority(_pid, x + 255) -> _priority = x + 1
  :: _priority = x - 1
  :: set_priority(7, x) -> skip
  fi
}
