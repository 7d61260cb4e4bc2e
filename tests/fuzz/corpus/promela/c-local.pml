// Instances come and go, and each begins with the initial value.
c_state "short n" "Local P" "3"
byte x;
proctype P(byte by) { c_code { PP->n += PP->by; now.x += PP->n; } }
init { run P(1); (_nr_pr == 1); run P(2); (_nr_pr == 1); assert(x == 9) }
