// options: --claim never_0
// expect: verified states=4 events=4
// also: cc
// In a never claim every skip is a step, also after another one in an option: four steps round, in pace
// with x. (Counts of Spin.)
bit x;
active proctype P() { do :: x = 1 - x od }
never {
S0:
  if :: true -> skip; goto S1 fi;
S1:
  if :: x < 2 -> skip; goto S0 fi
}
