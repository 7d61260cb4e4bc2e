/* Nothing is ever done. */
init {
  A: goto B;
  B: goto A
}
