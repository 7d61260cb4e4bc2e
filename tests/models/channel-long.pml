// expect: verified states=604 events=603
// also: cc
// A channel for more than 255 messages, and a loop over them.
chan q = [1024] of { bit };
active proctype P() {
  do :: len(q) < 300 -> q!1 :: len(q) == 300 -> break od;
  assert(len(q) == 300)
}
