// Statement merging, the example of Holzmann's book: of 8 states 4 are left.
active proctype merging() {
  byte c;
  if :: c = 0 :: c = 1 :: c = 2 fi;
  do
  :: c < 2 -> c++
  :: c > 0 -> c--
  od
}
