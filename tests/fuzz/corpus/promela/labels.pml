/* Labels stand before statements. */
init {
  L: byte x;
  skip unless M: skip
}
