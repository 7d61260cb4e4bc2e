/* Each asks the other over its channel and waits for the answer; both can do so at once. */
mtype = { ask, answer };
chan to_a = [1] of { mtype };
chan to_b = [1] of { mtype };

proctype peer(chan mine, other) {
  do
  :: other!ask; mine?answer
  :: mine?ask; other!answer
  od
}

init {
  run peer(to_a, to_b);
  run peer(to_b, to_a)
}
