// options: --keep-going
// expect: verified states=13631 events=45907 errors=0
// also: cc
// Recursion by run, pids used again.
byte c; byte g;
proctype A(byte p; byte d) { g=p; if :: d>0 -> run A(p+1,d-1) :: else fi; c++ }
init { byte p; p = run A(g+c, 2); c++; atomic { run A(p, 0); run A(c,1) }; (_nr_pr==1); p = run A(7,0); assert(p==1) ; if :: run A(1,0) :: skip fi }
