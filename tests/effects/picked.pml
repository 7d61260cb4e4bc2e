/* In the midst of a sequence it is still known which element an index means that the sequence has not changed:
 * here never the one that the other process goes through. */
byte a[3];
active proctype P() {
  byte k = 1;
  d_step { skip; a[k] = 1 }
  d_step { skip; a[k] = 2; k = 0 }
  d_step { skip; a[k] = 3 }
}
active proctype Q() { a[2] = 1; a[2] = 2; a[2] = 3; a[2] = 4 }
