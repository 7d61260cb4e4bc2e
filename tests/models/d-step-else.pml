// options: --keep-going
// expect: verified states=7 events=9
// also: cc
// The else of a selection that a d_step begins with asks about that selection only, also where
// its other options can never be taken: each d_step here is possible although x = 2 is. (Counts
// of Spin.) An else that is no option of its own asks what else is possible here.
byte x;
active proctype P() {
  if :: x = 2 :: d_step { do :: (false) -> x = 3 :: else -> break od; x = 1 } fi;
  if :: x = 3 :: d_step { if :: d_step { if :: false -> x = 3 :: else fi; x = 5 } fi; x = 4 } :: else -> x = 9 fi;
  if :: x = 6 :: d_step { else -> x = 7 } fi
}
