/* Labels are those of the process. */
proctype P() { there: skip }
init {
  goto there;
  goto nowhere;
  start: skip;
  goto stard
}
