/* #else without #if. */
init { skip }
#else
