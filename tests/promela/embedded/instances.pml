// The same text in several instances, each with variables of its own.
byte x;
proctype P(byte a; byte b) { byte mine; do :: c_expr { PP->mine < PP->a } -> c_code { PP->mine++; now.x += PP->b; } :: else -> break od; assert(mine == a) }
init { atomic { run P(1, 10); run P(2, 1); run P(2, 3) } }
