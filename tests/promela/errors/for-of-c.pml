byte n = 4;
active proctype P() {
  byte x;
  for (x = 0; x < 3; x++) { x = x }
  for (x = 1; x <= n+1; x++) { skip }
  for (x = n; x < (n + 2) * 2; x++) { skip };
  for (x = 0; x--) { skip };
  for (x : 0 .. 2 { skip };
  x = z
}
