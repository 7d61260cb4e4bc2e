// C in unless, and timeout.
byte x;
active proctype P() { { do :: x < 5 -> x++; c_code { now.x += 0; } od } unless { c_expr { now.x == 4 } -> c_code { now.x = 8; } }; timeout -> c_code { now.x = 1; } }
