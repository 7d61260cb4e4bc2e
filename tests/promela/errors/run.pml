/* run and its arguments. */
proctype P(byte a; byte b) { skip }
init {
  run P(1);
  run P(1, 2, 3);
  run Q();
  run P(1, 2)
}
