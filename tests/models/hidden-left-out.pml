// expect: verified states=5 events=6
// also: cc
// Nothing is read that an earlier event wrote, so that nothing is stored of it: a counter that
// only counts, a value that lives in one event, elements one by one.
hidden int count; hidden byte h, a[2]; hidden byte table[2] = { 3, 4 };
byte x;
active proctype P() {
  do
  :: atomic { x == 0 -> h = 7; count++; x = h - 6 }
  :: d_step { x == 1 -> a[0] = 3; a[1] = a[0] + 1; count++; x = a[1] - 2 }
  :: x == 2 -> count = count + 1
  :: x == 2 -> x = table[1] - 4
  od
}
