/* What does not fit its type. */
int w : 3;
unsigned u;
unsigned v : 33;
byte a[0];
byte s = { 1, 2 };
chan q = [2] of { unsigned };
chan r = [-1] of { byte };
mtype:color = { red };
mtype:fruit = { apple };
mtype:color c = apple;
hidden chan h = [1] of { byte };
init { skip }
