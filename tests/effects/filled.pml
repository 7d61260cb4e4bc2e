/* A receive waits for those who send where its channel is empty, also where nothing more is known of its guard: P must
   not go on alone by x = 1, for with a message it fails. */
chan c = [2] of { byte, byte };
byte x, late, z;

active proctype P() provided (late < 2) {
  if
  :: x = 1
  :: c?1,x -> assert(false)
  fi
}

active [2] proctype Q() { c!1,z }
