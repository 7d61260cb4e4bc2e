// options: --keep-going
// expect: violated states=16 events=15 errors=1
// also: cc
// A struct is a message, or a part of one.
typedef S { byte a[2]; bit b }
chan q = [2] of { S, byte }; chan z=[0] of {S};
active proctype P() { S s; byte k; d_step { s.a[0]=3; s.a[1]=4; s.b=1; k=1; do :: k<3 -> k++ :: else -> break od }; q!s,k; z!s; s.a[0]=9; q!s(1) ; q!!s,0 }
active proctype R() { S t,u; byte k; q?<t,k>; q?u,k; assert(t.a[0]==u.a[0]); z?t; q?t(k); q??t,0; }
