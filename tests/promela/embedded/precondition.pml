// A precondition that fails, for some.
byte x;
active [2] proctype P() { x++; c_code [now.x < 2] { now.x = now.x + 5; } }
