// options: --keep-going
// expect: verified states=63 events=106 deadlocks=0
// What cannot be done because of a variable of its own waits for nobody.
chan c = [2] of { bit };
chan d = [2] of { bit };
active proctype P() {
  bit s;
  byte n;
end:
  do
  :: atomic { s == 0 && n < 8 && nfull(c) -> c!0; s = 1; n++ }
  :: atomic { s == 1 && n < 8 && nfull(c) -> c!1; s = 0; n++ }
  od
}
active proctype Q() {
  bit x, s;
end:
  do
  :: atomic { s == 0 && nempty(c) && nfull(d) -> c?x; d!x; s = 1 }
  :: atomic { s == 1 && nempty(c) && nfull(d) -> c?x; d!x; s = 0 }
  od
}
active proctype R() {
  bit x, s;
end:
  do
  :: atomic { s == 0 && nempty(d) -> d?x; s = 1; assert(x == 0) }
  :: atomic { s == 1 && nempty(d) -> d?x; s = 0; assert(x == 1) }
  od
}
