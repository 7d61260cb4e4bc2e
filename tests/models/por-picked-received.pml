// options: --keep-going
// expect: violated assertion states=19 events=25 deadlocks=0
// What is received first says into which element goes what is received next. Spin's verifier finds no error here: it
// takes back another element than it wrote.
byte which[2], a[2], x;
chan c = [1] of { byte, byte };
bool go;
active proctype Q() { byte m; go; m = a[1]; assert(m == 1) }
active proctype P() { c!1,1; go = true; c?which[x % 2],a[which[0]] }
