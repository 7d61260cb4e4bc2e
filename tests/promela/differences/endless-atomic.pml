// rule: An atomic sequence that never ends has no further state; a warning.
// cairn: verified 3 2
// spin: no end
byte x;
active proctype P() { atomic { do :: x = 1 - x od } }
active proctype Q() { x = 1 }
