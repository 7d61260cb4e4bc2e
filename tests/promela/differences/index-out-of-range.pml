// rule: An index is in range, or it is an error, and the run ends there.
// cairn: violated model-error 1 1
// spin: 4 4 1
byte a[2], x, i = 2;
active proctype P() { x = a[i]; x = 1 }
