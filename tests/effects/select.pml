/* A name with an underscore: to Spin this select is a loop of steps, to the language one step. */
active proctype p() {
  byte my_v;
  select(my_v : 0 .. 3);
  my_v = 0
}
