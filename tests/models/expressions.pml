// options: --keep-going
// expect: verified states=15 events=14 errors=0
// also: cc
// Conditional expressions, unsigned, shifts, cut values.
byte x; int y; unsigned u:5 = 31; unsigned w:3 = 9; 
active proctype P() { y = (x>0 -> 1 : (y==0 -> -2 : 3)); u++; y = u - 1; w = w + 7; y = y << 3 | 5 ^ 2 & 7; y = ~y; y = -y % 7; y = y >> 1; x = x - 1; x++; y = (x -> x : 4) * (!x); u--; assert(!(x && y)) }
