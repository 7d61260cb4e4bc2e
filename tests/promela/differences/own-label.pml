// rule: P[i]@L asks where a process is, also from within P.
// cairn: violated assertion 6 6
// spin: refused
active proctype P() { if :: true -> skip :: true -> L: P[0]@L -> assert(false) fi }
