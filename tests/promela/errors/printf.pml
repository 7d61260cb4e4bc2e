/* Formats and their values. */
byte x;
active proctype P() {
  printf("%d of %d\n", x);
  printf("%q\n", x);
  printf("100%\n");
  printf("%d%%\n", x);
  printf("done\n", x);
  printf("%d\n", y)
}
