// options: --keep-going
// expect: violated states=59 events=68 errors=2
// also: cc
// Channels of processes travel through channels and outlive nobody.
chan a=[1] of {chan}; chan b=[2] of {byte,chan}; chan arr[2]=[0] of {chan,byte};
proctype W(chan c; byte n) { chan l=[0] of {byte}; byte k; c!l; l?k; arr[n]!l,k }
init { chan x,y; byte k; run W(a,0); run W(a,1); do :: a?x -> b!k,x; k++ :: b?1,y -> y!4 :: b?0,x -> x!3 :: k==2 && empty(b) -> break od;
 arr[0]?x,3; arr[1]?x,k; }
