// rule: A value is cut to the type of the variable, also of an element.
// cairn: verified 4 3
// note: the value is cut; Spin keeps it
// spin: 4 4 1
bit a[2]; byte x = 2;
active proctype P() { a[1] = x; assert(a[1] == 0) }
