// spin order: dfs
// Memory that comes back but does not tell states apart, and that steps depend on.
c_decl { int history[4]; int n; }
c_track "history" "sizeof(history)" "UnMatched"
c_track "&n" "sizeof(int)" "UnMatched"
byte x, y;
active proctype A() { do :: x < 3 -> atomic { x++; c_code { history[now.x] = now.x + 10*now.y; n++; } } :: else -> break od }
active proctype B() { byte t; do :: y < 3 -> y++ :: c_expr { n > 1 } -> c_code { n--; PB->t = history[2] % 7; } :: y == 3 -> break od }
