/* full and empty cannot be negated. */
chan q = [1] of { byte };
init {
  !full(q);
  nfull(q) && (empty(q) || true);
  empty(q) == 1
}
