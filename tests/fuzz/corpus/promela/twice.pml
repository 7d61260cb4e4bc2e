/* Declared twice. */
byte x;
int x;
mtype = { a, b, a };
proctype P(byte p) { byte p; skip }
proctype P() { skip }
inline f() { skip }
inline f() { skip }
typedef T { byte a; byte a };
init { L: skip; L: skip }
