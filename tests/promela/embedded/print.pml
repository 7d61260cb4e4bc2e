// What C prints changes nothing.
byte x;
active [2] proctype P() { do :: x < 3 -> x++; c_code { printf("x is %d\\n", now.x); Printf("again\\n"); } :: else -> break od }
