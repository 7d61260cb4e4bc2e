// options: --keep-going
// expect: violated states=13 events=12 errors=2
// also: cc
// xr and xs change nothing in a full search.
chan q=[1] of {byte}; chan s=[0] of {byte,byte}; byte g;
active proctype R() { byte k; xr q; xr s; do :: q?k :: s?k,eval(k) -> g=k :: s?1,g -> break od }
active proctype S() { xs q; q!1; s!1,1; s!2,1; s!1,4; q!2 }
