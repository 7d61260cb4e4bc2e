// In init, and in a never claim as a condition.
byte x;
init { byte k; c_code { Pinit->k = 4; now.x = Pinit->k; }; assert(k == 4); do :: c_expr { Pinit->k > 0 } -> k-- :: else -> break od }
never { do :: c_expr { now.x == 5 } -> break :: else od }
