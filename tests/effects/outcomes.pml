/* One statement with 64 outcomes: ways back are shorter without saying which. */
byte a, b, c, n;

active proctype chooses() {
  do
  :: n < 20 ->
    atomic {
      if :: a = 0 :: a = 1 :: a = 2 :: a = 3 fi;
      if :: b = 0 :: b = 1 :: b = 2 :: b = 3 fi;
      if :: c = 0 :: c = 1 :: c = 2 :: c = 3 fi;
      n++
    }
  :: n == 20 -> break
  od
}
