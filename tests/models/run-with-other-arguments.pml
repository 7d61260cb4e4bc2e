// options: --keep-going
// expect: verified states=316 events=642 errors=0
// A process of which no bound is known, as another one writes its counter: what its first run
// gives is not what every run gives, and the write set of q depends on that.
byte a[3], n;

proctype q(byte k) { a[k]++ }

active proctype other() { end: n == 9 -> n = 0 }

init {
  end: do
  :: n < 3 -> n++; run q(0)
  :: n < 3 -> n++; skip; run q(1)
  od
}
