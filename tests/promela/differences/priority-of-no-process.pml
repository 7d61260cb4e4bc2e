// rule: set_priority of a process that is not there does nothing.
// cairn: violated invalid-end-state 19 27
// spin: 11 12 1
byte x;
active proctype P() { byte y; do :: x < 2 -> set_priority(4, 5); x++ :: x == 2 -> break od }
active proctype Q() { byte y; x = 2 }
