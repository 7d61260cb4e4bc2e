/* Names that are not declared: each is told once. */
byte counter;
active proctype P() {
  conter = 1;
  conter = conter + 1;
  other = 2;
  other = other + other;
  counter = 3
}
