/* A channel that fills: what the options of Promela change. */
#ifndef MOST
#define MOST 2
#endif

chan q = [MOST] of { byte };

active proctype sender() {
  byte i;
  for (i : 1 .. MOST + 2) {
    q!i
  }
}

active proctype receiver() {
  byte x;
  q?x
}
