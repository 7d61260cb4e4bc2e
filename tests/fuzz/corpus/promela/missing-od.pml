/* A loop closed with the wrong word. */
active proctype P() {
  do
  :: break
  fi
}
