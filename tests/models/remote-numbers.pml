// The number of another process: of one that lives, else a model error.
// expect: violated model-error length=8
// also: cc
byte x, y;
proctype P() { byte q = 5; end: x == 9 }
proctype R() { skip }
init {
  atomic { run P(); run P(); run R() };
  (_nr_pr == 3);
  x = P[2]:_pid;
  y = P[1]:_pid;
  assert(x == 2 && y == 1 && P[y + 1]:_pid + P[x]:_pid == 4);
  x = R[x]:_pid
}
