// rule: A declaration that is passed again gives the initial values again.
// cairn: verified 13 12
// note: starts anew each time
// spin: 13 13 1
typedef T { byte b = 3 };
byte n;
active proctype P() {
  do
  :: n < 2 -> T t; n++; assert(t.b == 3); t.b = 1
  :: n == 2 -> break
  od
}
