/* An #if without #endif. */
init { skip }
#ifdef A
byte x;
