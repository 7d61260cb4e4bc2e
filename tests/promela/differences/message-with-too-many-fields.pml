// rule: The same, where the channel is known at run time only.
// cairn: violated model-error 2 2
// spin: refused
chan c = [1] of { byte };
byte x;
proctype Q(chan d) { d!1,2; d?x }
init { run Q(c) }
