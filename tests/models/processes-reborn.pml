// options: --keep-going
// expect: verified states=3370 events=10782 errors=0
// also: cc
// Processes die and are born again.
byte n; 
proctype W(byte k) { n = n+k; n=n-k }
init { byte i; for (i : 1 .. 3) { run W(i); (_nr_pr<3) } ; i=0; do :: i<3 -> run W(i); i++ :: i==3 -> break :: n>0 -> skip od }
