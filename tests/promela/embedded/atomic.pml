// Steps of C in the midst of an atomic sequence, which is left where one blocks.
byte x;
active [2] proctype P() { atomic { c_code { now.x++; } ; c_expr { now.x > 1 } ; c_code { now.x = now.x * 2; } } }
