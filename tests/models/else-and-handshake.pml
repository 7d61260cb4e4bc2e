// options: --keep-going
// expect: violated states=163 events=306 errors=3
// also: cc
// else beside handshakes.
byte x; chan q=[0] of {byte}; chan b=[1] of {byte};
active proctype P() { byte k; do :: q?k -> x=k :: b?k :: else -> x++; if :: x>2 -> break :: else -> b!x fi od }
active proctype Q() { do :: q!1 :: b?_ -> skip :: atomic { else -> (x>0); x=0 } :: x==3 -> break od }
