// options: --keep-going
// expect: violated states=27 events=39 errors=1
// also: cc
// Escapes of options, with else beside.
byte x;
active proctype P() { if :: { x=1; x=2 } unless { x==7 -> x=8 } :: { x==3 -> x=4 } unless { x==1 -> x=7 } :: atomic { x=7; x==9; x=0 } :: else -> x=5 fi; L: { goto M } unless { x==8 -> goto L2 }; M: x=9; L2: skip }
active proctype Q() { do :: x==7 -> x=9 :: x==2 -> x = 7 :: x==5 -> break od unless { atomic { x==4 -> x=1 }; x=7 } }
