// rule: A channel goes with its process; using it then is an error.
// cairn: violated model-error 6 6
// spin: 6 6 1
chan c;
byte x;
proctype Q() { chan own = [1] of { byte }; c = own; own!5 }
active proctype P() { run Q(); (_nr_pr == 1); c?x; assert(x == 5) }
