// options: --keep-going
// expect: violated exclusive-channel states=11 events=16 errors=2 length=2
// also: cc
// Which channel B uses is only known when it runs.
chan q = [1] of { byte }, r = [1] of { byte };
active proctype A() { xs q; q!1 }
active proctype B() { chan c; if :: c = q :: c = r fi; c!2 }
