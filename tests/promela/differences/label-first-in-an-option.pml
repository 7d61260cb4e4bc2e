// rule: A label is in front of a statement. While an option can be chosen control is at the selection.
// cairn: violated assertion 9 8
// note: only a goto leads to this label
// spin: refused
// P@L holds after the goto, and neither before the selection nor in the option. Spin goes on after
// its message, and has these figures.
byte x;
active proctype P() {
  if
  :: L: x == 0 -> x = 1; goto L
  :: x == 0 -> x = 2; goto end
  fi;
end: skip
}
active proctype Q() { end: if :: P@L -> assert(false) fi }
