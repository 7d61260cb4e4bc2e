/* A stack in C, used by two processes of Promela: pushes wait while it is full. With -D FULL=5 they
 * believe that it has room for one more than there is, and C writes beyond the array. */
#ifndef FULL
#define FULL 4
#endif

c_decl {
  struct stack { unsigned char top, cell[4]; };
}
c_state "struct stack s" "Global"

c_code {
  static void push(unsigned char x) {
    assert(now.s.top < sizeof now.s.cell);
    now.s.cell[now.s.top++] = x;
  }
  static unsigned char pop(void) {
    unsigned char x = now.s.cell[--now.s.top];
    now.s.cell[now.s.top] = 0; /* what is left behind would tell states apart */
    return x;
  }
}

active [2] proctype User() {
  byte got;
  do
  :: atomic { c_expr { now.s.top < FULL } -> c_code { push(PUser->_pid + 1); } }
  :: atomic { c_expr { now.s.top > 0 } -> c_code { PUser->got = pop(); } }
     assert(got == 1 || got == 2);
     got = 0
  od
}
