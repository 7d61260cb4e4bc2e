// options: --keep-going
// expect: verified states=263 events=574 errors=0
// also: cc
// timeout in several processes, and in an escape.
byte n; chan q=[0] of {byte};
active [3] proctype P() { byte k;
 do :: timeout && n<4 -> n++ :: n==4 -> break :: q?k :: atomic { timeout -> n=0; q!1 } od }
active proctype T() { do :: timeout -> n=4; break :: else -> skip; (n>1); n=2 od unless { timeout -> n = 4 } }
