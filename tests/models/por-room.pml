// options: --keep-going
// expect: verified states=513 events=1212 deadlocks=0
// A pipeline: what nfull and nempty have found stays so, whatever the other end does.
chan a = [2] of { byte };
chan b = [2] of { byte };
chan c = [2] of { byte };
active proctype P() { byte n; end: do :: atomic { n < 9 && nfull(a) -> n++; a!n } od }
active proctype Q() { byte x; end: do :: atomic { nempty(a) && nfull(b) -> a?x; b!x; x = 0 } od }
active proctype R() { byte x; end: do :: atomic { nempty(b) && nfull(c) -> b?x; c!x; x = 0 } od }
active proctype S() { byte x; end: do :: c?x -> assert(x <= 9); x = 0 od }
