// options: --keep-going
// expect: violated states=27 events=36 errors=4
// also: cc
// What is in a rendezvous channel cannot be asked: a poll of it and a look into it are model
// errors; what else is possible at the place goes on.
chan q = [0] of { byte };
chan c = [1] of { byte };
byte x;
proctype Q(chan d) {
  if
  :: d?[1] -> assert(0)
  :: d??<x> -> assert(0)
  :: else -> x = 1
  fi
}
init { run Q(q); (x == 1); run Q(c); x = 0; q?<x> }
