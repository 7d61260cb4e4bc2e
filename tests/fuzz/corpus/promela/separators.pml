/* Statements on one line need separators. */
byte x;
init { x = 1 x = 2; x == 1 skip; x = x -> 1 : 2 }
