// rule: A receive assigns one value after the other.
// cairn: violated invalid-end-state 14 20
// note: its search loses states or adds some
// spin: 16 24 1
byte a[3];
chan c = [2] of { byte, byte };
active proctype P() { byte k; c!1,1; c?k,a[k]; c!1,a[k]; false }
active proctype Q() { byte j; j = a[1]; j = a[0]; false }
