/* Mutual exclusion, in Promela: Peterson's algorithm for two processes.
 *
 * Each says that it wants to go in, gives way to the other, and waits until the other
 * does not want to or has given way later.
 *
 * Run:     cairn check models/mutex.pml
 * Expect:  verified: the assertion holds on every run, and nobody gets stuck.
 * Try:     cairn check models/mutex.pml -D FORGET
 *          leaves out the giving way of process 1: violated, both are inside after a few steps.
 *          Swapping the two assignments before the wait goes wrong as well. */
bool want[2];
byte gave_way; /* who gave way last */
byte inside;   /* how many are in the critical section: for the assertion alone */

active [2] proctype user() {
  do
  :: want[_pid] = true;
#ifdef FORGET
     if
     :: _pid == 0 -> gave_way = 0
     :: else
     fi;
#else
     gave_way = _pid;
#endif
     !want[1 - _pid] || gave_way != _pid;

     inside++;
     assert(inside == 1);
     inside--;

     want[_pid] = false
  od
}
