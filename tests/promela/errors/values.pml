/* Numbers that do not fit are cut. */
bit f;
byte b;
short s;
unsigned u : 3;
int i;
bool t;
active proctype A() {
  f = 2;
  b = 256;
  b = -1;
  b = 255;
  s = 32768;
  s = -32769;
  s = -32768;
  u = 8;
  u = 7;
  i = -2147483647;
  t = 2;
  no = 1
}
