// Channels of several kinds come in question: what the step writes with a channel of the first
// kind must not be read while it is found out whether it is possible with one of the next.
// options: --keep-going
// expect: violated invalid-end-state states=16 events=15 deadlocks=3
// also: cc
byte a, b, n;
chan c[2] = [2] of { byte, byte };
chan d = [2] of { byte };
chan z;
active proctype P() {
  z = c[1];
  c[0]!0,1;
  do
  :: c[b % 2]?eval(a),a -> n++
  :: a == 1 && n == 1 -> z!1,0; b = 1
  od
}
