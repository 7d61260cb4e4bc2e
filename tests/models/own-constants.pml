// options: --keep-going
// expect: violated states=285 events=770 errors=6
// also: cc
// What an instance has for ever: its number, channels and places given to it; and what it only
// seems to have: parameters that are assigned, received into, or written by another process.
chan c[2] = [2] of { byte };
byte a[4], b[4];

proctype fixed(chan in, out; byte place) {
  byte own = place + 1, x;
  out!place;
  atomic { in?x -> a[place] = x + 1; b[own] = a[place] };
  a[_pid - 1]++;
end: do :: false od
}

proctype assigned(byte place; byte other) {
  b[place]++;
  place = 3 - place;
  b[place]++;
  atomic { c[other]??[1] -> c[other]??other; b[other] = 7 };
end: do :: false od
}

proctype chosen(byte place) {
  a[place] = 9;
end: do :: false od
}

init {
  atomic {
    run fixed(c[0], c[1], 0);
    run fixed(c[1], c[0], 2);
    run assigned(2, 0)
  };
  if
  :: run chosen(1)
  :: run chosen(3)
  fi;
end: do :: false od
}
