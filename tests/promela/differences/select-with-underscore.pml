// rule: A select over few constants is one step, whatever the name.
// cairn: verified 25 68
// cairn --spin: verified 85 151
// note: Spin makes a loop of it
// spin: 85 152 0
byte my_v;
active [2] proctype P() { select(my_v : 0 .. 3) }
