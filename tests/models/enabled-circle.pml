// expect: violated invalid-end-state length=0 states=1 events=0
// also: cc
// A process that is asked about while its own conditions are tried counts as blocked.
active [2] proctype P() { (enabled(1-_pid)); skip }
