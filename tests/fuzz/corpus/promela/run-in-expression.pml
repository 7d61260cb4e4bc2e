/* run is the whole of its expression or the value of an assignment. */
proctype P() { skip }
init {
  byte x;
  run P() && run P();
  x = run P() + 1;
  if
  :: run P() > 0 -> skip
  fi;
  x = run P();
  run P()
}
