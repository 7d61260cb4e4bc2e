/* Parameters. */
proctype P(byte a, byte b) { skip }
proctype Q(byte a[2]) { skip }
proctype R(byte a = 1) { skip }
proctype S(byte a) provided (a > 0) { skip }
init { skip }
