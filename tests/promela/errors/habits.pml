/* Words and operators of other languages. */
byte x;
active proctype P() {
  byte y := 3;
  while (x < 3);
  x += 1;
  float z;
  x = True;
  for (x = 0)
}
active proctype Q() {
  if (x == 1) -> skip
}
