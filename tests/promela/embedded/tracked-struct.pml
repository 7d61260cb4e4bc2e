// A structure of C that is tracked.
c_decl { struct queue { int head, n; char cell[3]; } q; }
c_track "&q" "sizeof(struct queue)"
byte x;
active proctype A() { do :: c_expr { q.n < 3 } -> c_code { q.cell[(q.head + q.n) % 3] = 1 + q.n; q.n++; } od }
active proctype B() { do :: c_expr { q.n > 0 } -> c_code { now.x = q.cell[q.head]; q.cell[q.head] = 0; q.head = (q.head + 1) % 3; q.n--; } od }
