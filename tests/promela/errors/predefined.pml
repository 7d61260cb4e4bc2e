/* What the language declares can only be read. */
init {
  _pid = 1;
  _nr_pr++;
  _last = 2;
  byte x;
  x = _ + 1;
  byte _pid;
  np_
}
