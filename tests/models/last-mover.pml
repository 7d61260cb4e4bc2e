// options: --keep-going
// expect: violated states=88 events=136 errors=4
// also: cc
// _last is part of the state.
byte x; active [2] proctype A() { x = _last; do :: _last==_pid -> break :: _last!=_pid -> x=_last od; (_nr_pr==2) }
