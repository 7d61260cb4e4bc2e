/* Philosophers whose forks, phases and names are elements of global arrays. */
#define N 8
byte fork[N]; byte phase[N]; byte meals[N];
active [N] proctype phil() {
  byte i = _pid;
  do
  :: atomic { fork[i] == 0 -> fork[i] = i + 1 }; phase[i] = 1;
     atomic { fork[(i+1)%N] == 0 -> fork[(i+1)%N] = i + 1 }; phase[i] = 2;
     fork[i] = 0; fork[(i+1)%N] = 0; phase[i] = 0
  od }
