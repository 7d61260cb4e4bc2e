// options: --keep-going
// expect: violated model-error states=10 events=14 deadlocks=0
// The index is looked at first: it can be wrong although what comes after it is false.
byte a[2], i, x;
active proctype P() { i = 2; i = 0 }
active proctype Q() { if :: a[i] == 0 && x == 1 :: skip fi }
