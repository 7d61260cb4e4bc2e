// expect: verified states=3 events=2
// also: cc
// Operators on constants give what the same operators give at run time, at the corners of 32 bits.
int least = -2147483647 - 1, minus = -1, far = 31, two = 2;
active proctype P() {
  assert(least / minus == (-2147483647 - 1) / -1 && least % minus == (-2147483647 - 1) % -1 && -7 / two == -7 / 2 &&
         -7 % two == -7 % 2 && minus << far == -1 << 31 && least >> far == (-2147483647 - 1) >> 31 &&
         2147483647 + two == 2147483647 + 2 && 65536 * 65536 * two == 65536 * 65536 * 2)
}
