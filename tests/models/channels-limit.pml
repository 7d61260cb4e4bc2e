// expect: violated model-error
// options: --keep-going
// expect: violated model-error states=38 events=38 errors=1
// also: cc
// Channels have numbers of one byte: the thirteenth process finds no room for its twenty.
proctype A() { chan q[20] = [1] of { byte }; false }
active proctype M() {
  byte i;
  do
  :: i < 14 -> run A(); i++
  od
}
