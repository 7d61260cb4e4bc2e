// An array of C in the state.
c_state "unsigned char a[3]" "Global"
byte i;
active proctype P() { do :: i < 6 -> c_code { now.a[now.i % 3] += now.i; now.i++; } :: else -> break od; if :: c_expr { now.a[0] == 3 && now.a[2] == 7 } -> skip fi }
