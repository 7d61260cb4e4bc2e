// options: --keep-going
// expect: violated exclusive-channel states=2 events=10 errors=9
// also: cc
// Who asks for the length, and by empty, full and polls, sends and receives; nfull sends, nempty receives.
chan q = [1] of { byte };
active proctype R() { byte x; xr q; if :: nempty(q) :: len(q) == 0 :: q?[1] :: full(q) fi; q?x }
active proctype S() { byte x; xs q; if :: nfull(q) :: nempty(q) :: empty(q) fi; x = len(q); q!1 }
