/* An arrow directly behind the double colon. */
active proctype P() {
  if
  :: -> skip
  :: true -> skip
  fi
}
