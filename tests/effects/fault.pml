// An assertion that fails beside steps that commute with everything: where it can fail all
// events are fired, so that it is not put off to the last of them.
active proctype Q() { assert(false) }
active proctype R() { byte c; c = 1; c = 2; c = 3 }
