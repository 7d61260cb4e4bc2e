// rule: A select over few constants is one step.
// cairn: verified 25 68
// cairn --spin: verified 85 151
// note: Spin makes a loop of it
// spin: 85 152 0
byte v;
inline pick() { select(v : 0 .. 3) }
active [2] proctype P() { pick() }
