// A variable that is no part of the state, set and read within one step.
c_state "int h" "Hidden" "7"
byte x;
active [2] proctype P() { c_code { h = 7 + PP->_pid; now.x = h; } }
