/* What those write in a process who come from C. */
byte b, c;
chan q = [1] of { byte };
active proctype A() {
  byte mine, i;
  mine = 1;
  for (byte j = 0; j < 3; j++) { b = j }
  ++b;
  (b == 1 and c == 2);
  (not b);
  continue;
  b = twice(2);
  q.send(1)
}
