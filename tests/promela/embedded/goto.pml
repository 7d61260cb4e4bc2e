// Labels and jumps around C.
byte x;
active [2] proctype P() { again: c_code { now.x++; }; if :: c_expr { now.x < 4 } -> goto again :: c_expr { now.x % 2 } -> goto out :: else fi; c_code { now.x = 0; }; out: skip }
