/* Where the channel holds a message that is not the one wanted, a receive waits for those who receive only, not for
   those who send. */
chan c = [2] of { byte, byte };
byte x, z;
byte arr[3];

active proctype P() {
  if
  :: x = 1
  :: c?eval(arr[x]),z -> assert(false)
  fi
}

active [2] proctype Q() { c!1,z }
