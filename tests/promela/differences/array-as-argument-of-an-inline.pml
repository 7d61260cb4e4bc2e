// rule: The arguments of an inline are tokens: the name of an array will do.
// cairn: verified 4 3
// spin: refused
byte a[2];
inline f(b) { b[1] = 3 }
active proctype P() { f(a); assert(a[1] == 3) }
