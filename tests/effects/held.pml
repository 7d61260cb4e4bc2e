// A cycle of control that an atomic sequence and merged steps would close together, for it is
// entered in the midst of the sequence: there is a state on it that is stored.
active proctype P() {
  byte a;
  goto inner;
  do
  :: atomic { a = 1 - a; inner: a = a }; a = a
  od
}
