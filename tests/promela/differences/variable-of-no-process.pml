// rule: P[i]:x of a process that is not there is an error.
// cairn: violated model-error 1 1
// spin: 3 3 0
byte x = 7;
proctype Q() { byte y = 5; (x == 9) }
active proctype P() { x = Q[3]:y }
