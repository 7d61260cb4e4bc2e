// A c_state of each instance, with an initial value.
c_state "int n" "Local P" "5"
byte x;
active [2] proctype P() { do :: c_expr { PP->n > 0 } -> c_code { PP->n--; now.x = PP->n; } :: else -> break od }
