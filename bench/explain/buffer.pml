/* A ring of three places whose writer does not look whether it is full, and forgets to wrap. */
byte ring[3], head, tail;

active proctype writer() {
  do
  :: head < tail + 3 -> ring[head] = 1; head++
  od
}

active proctype reader() {
  do
  :: tail < head -> ring[tail] = 0; tail++
  od
}
