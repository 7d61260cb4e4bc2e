/* The cycle leads through s, which is entered before it is reached by the accepting event, and leads to b, which was left before. */
active proctype P() {
r:
  if
  :: true -> goto b
  :: true -> goto s
  :: true -> goto accept_t
  fi;
s:
  skip;
b:
  skip;
  goto r;
accept_t:
  skip;
  goto s
}
