active proctype P() {
  byte x, i;
  x == 2 ? x = 1 : x = 3;
  x <> 1;
  for (i in 1..3) { skip };
  sleep(1);
  lock(x);
  if :: x > 0 -> skip; else -> skip fi
}
