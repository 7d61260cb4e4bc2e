// options: --keep-going
// expect: violated states=13 events=12 errors=1
// also: cc
// A channel variable is a number: comparing, assigning, using.
chan c; chan d = [1] of {byte}; chan e[2] = [1] of {byte};
active proctype P() { c = d; c!1; e[0]!2; c = e[0]; c?_; d = e[1]; d!5; assert(c != d); c = e[1]; assert(c==d) ; len(c)==1; full(d); nempty(c) && nfull(c) }
