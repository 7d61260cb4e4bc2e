// options: --keep-going
// expect: violated states=141 events=254 errors=8
// also: cc
// Every process has its own array of channels.
proctype W(byte n) { chan l[2]=[1] of {byte}; l[n]!n; l[1-n]!9; byte k; if :: l[0]?k :: l[1]?k fi; n>0 -> run W(n-1) }
init { run W(1); run W(0) }
