// rule: A receive has as many fields as its channel; else it is an error, and the run ends there.
// cairn: violated model-error 2 2
// spin: 4 4 1
chan c = [1] of { byte, byte };
byte x;
active proctype P() { c!1,2; c?x }
