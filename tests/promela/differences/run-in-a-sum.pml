// rule: run is the whole of its expression.
// cairn: rejected
// spin: 5 5 0
byte x;
proctype Q() { skip }
active proctype P() { x = run Q() + 1 }
