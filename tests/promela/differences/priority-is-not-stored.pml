// rule: A priority that set_priority has given is part of the state.
// cairn: verified 45 55
// note: Spin does not store that of a process without variables
// spin: 33 42 0
byte x;
active [2] proctype P() priority 2 { x++; set_priority(_pid, x); x = 3 }
active proctype Q() { skip }
