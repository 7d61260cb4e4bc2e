/* A break outside of loops. */
init {
  if :: break fi;
  break
}
