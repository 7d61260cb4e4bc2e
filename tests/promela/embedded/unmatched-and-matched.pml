// spin order: dfs
// Both kinds at once, and an error that depends on what is not compared.
c_decl { int seen, way; }
c_track "&seen" "sizeof(int)" "Matched"
c_track "&way" "sizeof(int)" "UnMatched"
byte x;
active [2] proctype P() { do :: c_expr { seen < 3 } -> c_code { seen++; way = way * 3 + PP->_pid; } :: x < 2 -> atomic { x++; c_code { way += 7; } } :: c_expr { way > 60 } -> c_code { way = 1; now.x = 5; } :: else -> break od; assert(x != 5) }
