// Arrays of the types that are alike, and of those that are not.
byte a[3]; short s[2]; int n[2]; mtype m[2];
mtype = { one, two };
active [2] proctype P() { byte k[2]; c_code { now.a[2] = 9 + now.a[1]; now.s[1] = -2; now.n[0] = now.n[1] - 1; now.m[1] = 1; PP->k[1] = now.a[2]; PP->k[0] = 1; };
  assert(k[1] == 9 && s[1] == -2 && m[1] == two) ; a[1] = 0 }
