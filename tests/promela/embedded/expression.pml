// c_expr within expressions and assertions.
byte x;
active [2] proctype P() { byte k; k = c_expr { now.x + 3 }; x = k + 1; assert(c_expr { now.x < 9 }); assert(k < 10 || c_expr { PP->k == 250 }) }
