// options: --keep-going
// expect: violated model-error states=3 events=5 deadlocks=0
// The same where the step concerns nobody else.
byte g;
active proctype Q() { skip; skip }
active proctype P() { byte a[2], i = 2; a[i] = 1 }
