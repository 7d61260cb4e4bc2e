// options: --keep-going
// expect: violated states=75 events=103 errors=11
// also: cc
// A handshake between two atomic sequences hands control over.
chan s=[0] of {byte}; byte g;
active proctype A() { atomic { s!1; g=1; s!2; g=3 } ; g = 8 }
active proctype B() { byte k; atomic { s?k; assert(g==0); g=2; s?k; g=5; g=6 } }
active proctype D() { byte k; do :: g=7; break :: s?k od }
