// Initial values of C in the state.
c_decl { typedef struct pair { int a, b; } pair; }
c_state "pair p" "Global"
c_state "int n" "Global" "2 + 2"
active proctype P() { c_code { now.p.a = now.n; }; if :: c_expr { now.p.a == 4 && now.p.b == 0 } -> c_code { now.p.b = -1; } :: else -> assert(false) fi }
