// rule: timeout in a never claim is true where no process can move, whatever the claim can do itself.
// asks: --claim never_0
// cairn: verified 2 1
// spin: 4 4 3
byte x;
active proctype P() { x = 1; x = 2; x = 3 }
active proctype Q() { timeout -> x = 4 }
never { x == 0; timeout }
