// options: --keep-going
// expect: violated states=96 events=248 errors=1
// also: cc
// active [3] and _pid.
byte s[4]; active [3] proctype A() { byte me = _pid; s[_pid]++; (_pid==0 || s[_pid-1]); s[me]++ }
init { assert(_pid==3); (_nr_pr==1); s[3] = _nr_pr }
