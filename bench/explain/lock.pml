/* A lock that looks, then takes: two processes can do so at the same time. */
bool busy;
byte inside;

active [2] proctype user() {
  do
  :: !busy ->
     busy = true;
     inside++;
     assert(inside == 1);
     inside--;
     busy = false
  od
}
