// expect: verified states=3 events=2
// Conditions of the preprocessor, with and without signs, as in C.
#if -1 < 0u
#error a1
#endif
#if -1 > 0
#error a2
#endif
#if (-1 >> 1) != -1 || (-1u >> 63) != 1
#error a3
#endif
#if (1 ? -1 : 0u) < 0
#error a4
#endif
#if -4 / 2u == -2
#error a5
#endif
#if 1 << -1 || (8 >> -1) != 16 || (1 << 64)
#error a6
#endif
#if -9223372036854775807 - 1 > 0 || 9223372036854775808 < 0 || 0xffffffffffffffff != -1
#error a7
#endif
#if -1 % 10u != 5 || (2 - 3u) < 0 || (0u == 0) - 2 > 0
#error a8
#endif
init { skip }
