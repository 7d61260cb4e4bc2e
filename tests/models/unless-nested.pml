// options: --keep-going
// expect: violated states=23870 events=44590 errors=4
// also: cc
// Escapes of escapes; the outer one goes first.
byte a,b;
active [2] proctype P() {
 { { { a=(a+1)%3; (b==1); b=2 } unless { (a==1) -> b=1 } ; goto L } unless { (a==2) -> atomic { b=0; a=1; (b==1); a=0 } } } unless { (b==2 && a==1) -> goto M };
L: b = (b+1)%3; 
 { do :: a<2 -> a++ :: b>0 -> b-- od } unless { a==2 -> { skip; a=0 } unless { b==0 -> b=1 } };
M: skip
}
