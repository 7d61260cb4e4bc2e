// options: --keep-going
// expect: violated states=22 events=26 errors=2
// also: cc
// set_priority, get_priority and _priority, each a step.
byte x;
active proctype A() priority 5 { x=1; set_priority(_pid,1); x=2; assert(get_priority(_pid)==1) }
active proctype B() priority 3 { x=3; _priority = 7; x=4 }
active proctype C() { x=5; set_priority(0, 9); x=6 }
