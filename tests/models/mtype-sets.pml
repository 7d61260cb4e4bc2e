// options: --keep-going
// expect: verified states=8 events=7 errors=0
// also: cc
// Named mtypes in messages.
mtype:fruit = { apple, pear }; mtype:car = { vw, bmw }; mtype = { z1, z2 };
mtype:fruit f = pear; mtype:car c; mtype m = z2;
chan q = [2] of { mtype:fruit, mtype:car };
active proctype P() { mtype:fruit g; q!apple,bmw; q!f,vw; q?g,c; assert(g==apple && c==bmw); q?pear,_; printf("%e %e %e\n", g,c,m) }
