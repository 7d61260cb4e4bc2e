// options: --keep-going
// expect: violated states=6 events=11 errors=6
// also: cc
// A message with too few or too many fields is a model error when it is sent or received, also
// where the channel is known only by number; a send that has to wait is none, nor is a poll.
chan c = [1] of { byte, byte };
chan r = [0] of { byte, byte };
chan d;
byte x, y;
active proctype P() {
  d = c;
  if
  :: d!1
  :: d!1,2,3
  :: d!1,2 -> if :: d?x :: d?x,y,_ :: (d?[1]) -> skip fi
  :: d = r; if :: d!1 -> skip :: d!1,2 -> skip fi
  fi
}
active proctype Q() { end: r?x }
