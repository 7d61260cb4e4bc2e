// options: --keep-going
// expect: violated states=30 events=58 errors=2
// also: cc
// atomic and d_step in each other.
byte x; active [2] proctype P() { atomic { x++; atomic { x<3; d_step { x++; x-- }; (x!=2); x-- }; if :: atomic { x>0; x-- } :: d_step { x==0; x=1 } :: true fi }; do :: d_step { x<2 -> x++ ; if :: x==2 -> x=0 :: else fi } :: break od }
