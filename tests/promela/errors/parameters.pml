/* Parameters. */
proctype P(byte a, byte b) { skip }
proctype Q(byte a[2]) { skip }
proctype R(byte a = 1) { skip }
proctype S(byte a) provided (a > 0) { skip }
typedef T { byte b; bit c[2] }
typedef U { byte a; T t }
proctype V(byte a; U u) { skip }
init { skip }
