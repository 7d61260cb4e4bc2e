/* A condition that is none. */
#if 1 +
#endif
init { skip }
