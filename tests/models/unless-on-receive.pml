// options: --keep-going
// expect: violated states=17 events=20 errors=2
// also: cc
// Escapes that receive by rendezvous.
byte x; chan q=[0] of {byte};
active proctype P() { byte k; { do :: x<2 -> x++ :: q?k -> x=k od } unless { q?1 -> { x=5; q!2 } unless { x==5 -> q?_ } } }
active proctype Q() { atomic { q!0; x==1 -> q!1; q!1 } ; do :: q?2 -> break :: q!3 -> skip od }
