/* Each takes the fork on the left, then the one on the right. */
#define N 3
bool fork[N];

active [N] proctype philosopher() {
  byte right = (_pid + 1) % N;
  do
  :: atomic { !fork[_pid] -> fork[_pid] = true };
     atomic { !fork[right] -> fork[right] = true };
     fork[right] = false;
     fork[_pid] = false
  od
}
