/* A d_step is one step. */
init {
  goto inside;
  d_step { skip; inside: skip; goto outside };
  do
  :: d_step { skip; break }
  od;
  outside: skip
}
