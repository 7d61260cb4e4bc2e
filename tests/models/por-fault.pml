// options: --keep-going
// expect: violated model-error states=9 events=21 deadlocks=0
// An index out of range has no successor, so firing it alone would end the search for the others.
byte g;
active proctype Q() { skip; skip }
active proctype R() { g = 1; skip }
active proctype P() { byte a[2], i = 2; g = a[i] }
