// options: --keep-going
// expect: violated states=25 events=33 errors=1
// also: cc
// Into and out of atomic sequences by goto.
byte x;
active proctype P() { 
 do
 :: atomic { x==0 -> x=1; goto out; in: x=2; x=3; }
 :: x==4 -> goto in
 :: x==3 -> x=0
 :: atomic { x==5 -> x=6; if :: x=7; break :: x=4 fi }
 od; goto end;
out: x=5; if :: goto in2 :: skip fi;
 atomic { x=4; in2: x=5; x=3; (x==0); x=8 };
 end: skip }
active proctype Q() { do :: x==3 -> x=0 :: x==1 -> x=4 :: x==2 -> assert(false) :: x==8 -> break od }
