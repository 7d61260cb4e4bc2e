// options: --keep-going
// expect: violated states=65 events=73 errors=1
// also: cc
// unless inside of atomic and loops, with handshakes and d_steps as escapes.
byte x,y; chan q=[0] of {byte}; chan b=[1] of {byte,byte};
active proctype P() { byte k;
  do
  :: atomic { { d_step { x<2 -> x++; y=x } ; { q?k; y=k } unless { (y==2) -> y=0 } } unless { b?k,eval(x) -> x=0; q!k } }
  :: for (k : 0 .. 1) { { y=k; q!k } unless { atomic { b?1,k -> break } } }
  od unless { (x==1 && y==1) -> d_step { x=0; y=0 }; goto fin };
fin: skip }
active proctype Q() { byte k; do :: q?k -> b!k,x :: q!1 :: b??1,k -> x = k od unless { timeout }; x=3 }
