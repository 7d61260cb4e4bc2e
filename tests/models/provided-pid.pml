// options: --keep-going
// expect: verified states=19 events=18 errors=0
// also: cc
// provided with _pid.
byte t; bool done[3];
active [3] proctype P() provided (t == _pid) { byte k; t = (t+1)%3; k++; t=(t+2)%3; k++; done[_pid]=1; t=(t+1)%3 }
