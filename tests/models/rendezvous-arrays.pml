// options: --keep-going
// expect: violated states=4 events=4 errors=2
// also: cc
// Arrays of rendezvous channels.
chan q[2]=[0] of {byte,bool}; byte g;
active [2] proctype A() { byte k; bool b; do :: q[_pid]!_pid+g,k>1 :: atomic { q[1-_pid]?k,b -> g = (k+b)%3 ; (g>0) ; g = g-1 } :: q[1-_pid]?1,true -> break :: q[_pid]?eval(k),_ od }
