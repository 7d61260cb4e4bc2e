// rule: timeout in a never claim is true where no process can move.
// asks: --claim never_0
// cairn: violated claim-violated 4 3
// spin: 3 4 0
byte x;
active proctype P() { x = 1; x = 2; x == 9 }
never { do :: timeout -> break :: else od }
