// rule: A message has as many fields as its channel; else it is an error, and the run ends there.
// cairn: violated model-error 1 1
// spin: 5 5 1
chan c = [1] of { byte, byte };
byte x;
active proctype P() { c!1; c?1,x; assert(x == 0) }
