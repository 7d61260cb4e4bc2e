byte b;
active proctype A() {
  do { b++ } while (b < 3)
}
