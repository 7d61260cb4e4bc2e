// The same in a d_step.
byte x, y;
active [2] proctype P() { byte k; do :: d_step { x < 4; c_code { now.x++; PP->k = now.x; } ; y = k; c_code { now.y += 1; } } :: x >= 4 -> break od }
