proctype Q() { skip }
int x;
active proctype P() {
  Q();
  byte if;
  x = x ? 1 : 2;
  L: int y;
  y = 1
}
init { printf("never closed) }
