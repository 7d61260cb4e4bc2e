/* Two processes add one to a counter, each by way of a copy. */
byte n, done;

active [2] proctype adder() {
  byte copy;
  copy = n;
  n = copy + 1;
  done++;
  if
  :: done == 2 -> assert(n == 2)
  :: done < 2
  fi
}
