/* Messages with too many or too few fields. */
chan q = [1] of { byte, bit };
byte b;
bit c;
init {
  q!1,2,3;
  q!1;
  c!1;
  q++;
  q = 1
}
