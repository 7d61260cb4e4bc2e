// options: --allow-c --keep-going
// expect: verified states=81 events=180 errors=0
// also: cc
// c_decl, c_state of all three kinds, c_track, functions that use now, members of structs and arrays, macros.
#define K 7
c_decl { \#include <stdio.h>
typedef struct P { int x; } P; int cnt; };
c_state "P pt" "Global" ;
c_state "int loc" "Local foo" "5";
c_state "int hid" "Hidden" "3";
c_track "&cnt" "sizeof(int)" "Matched";
c_code { int twice(int a) { return 2*a + now.arr[1]; } }
mtype = { red, green };
typedef T { byte a; bit b; int c[3] };
byte arr[3]; unsigned u : 5; T tt[2]; mtype m;
active [2] proctype foo(byte p1) { int i; c_code [Pfoo->i < 10] { Pfoo->i = twice(K); hid++; now.m = 2; now.tt[1].c[2] = 77; now.tt[1].b = 1; now.u = 33; Pfoo->loc = 1000; now.pt.x = -3; cnt = 9; }; c_code { Pfoo->i = 3; }; if :: c_expr { Pfoo->i > 2 } -> skip fi }
init { skip }
