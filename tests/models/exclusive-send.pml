// options: --keep-going
// expect: violated exclusive-channel states=2 events=3 errors=2 length=1
// also: cc
// While A lives nobody else may send; once it has sent and gone B could.
chan q = [1] of { byte };
active proctype A() { xs q; q!1 }
active proctype B() { q!2 }
