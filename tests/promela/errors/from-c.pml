/* What those write who come from C. */
int table[2][3];
int twice(int a) { return a + a }
struct pair { int a, b; };
const int N = 3;
int *p;
unsigned int u;
active proctype A() { skip }
