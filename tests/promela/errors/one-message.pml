/* A mistake has one message: an arrow in parentheses ends nothing, a word that begins a unit
   begins none where it is the mistake. */
byte x, y;
active proctype P() {
  printf(x " %d", (x > 1 -> x : 2));
  x = active;
  run init();
  x = 3 +;
}
