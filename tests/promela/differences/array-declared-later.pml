// rule: A declaration that is passed again gives the initial value again, to all elements.
// cairn: verified 15 14
// note: starts anew each time
// spin: 15 15 1
byte n;
active proctype P() {
  do
  :: n < 2 -> byte a[2]; n++; assert(a[0] == 0 && a[1] == 0); a[0] = 1; a[1] = 1
  :: n == 2 -> break
  od
}
