// rule: An index is in range, or it is an error where it is evaluated.
// cairn: violated model-error 2 3
// spin: 4 4 2
byte a[2], x, b = 7;
active proctype P() { if :: a[2] == 0 && x == 1 -> skip :: x == 1 && a[2] == 0 -> skip :: else -> x = a[2] fi }
