// options: --no-deadlock --property safety --warn no-spin
// expect: verified states=416 events=720
// options: --no-deadlock --property safety --spin
// expect: verified states=416 events=720
// options: --no-deadlock --property safety --warn no-spin -D LAST=3
// expect: verified states=248 events=412
// options: --no-deadlock --property safety --spin -D LAST=3
// expect: verified states=416 events=720
// An elevator of four floors. A passenger calls it from some floor and rides to another. `0 .. N-1` is
// no range of plain numbers, so a select over it is a loop of steps, as in Spin; over `0 .. 3` it is
// one step, but not in Spin where the name has an underscore. The counts are Spin's where they
// can be.
#define N 4
#ifndef LAST
#define LAST N-1
#endif
byte cabin;
bool open[N];
chan call = [1] of { byte };

active proctype passenger() {
  byte my_v;
  do
  :: select(my_v : 0 .. LAST);
     call ! my_v;
     open[my_v];
     assert(cabin == my_v)
  od
}

active proctype controller() {
  byte goal;
end:
  do
  :: call ? goal;
     do
     :: cabin < goal -> cabin++
     :: cabin > goal -> cabin--
     :: cabin == goal -> break
     od;
     open[cabin] = true;
     open[cabin] = false
  od
}
