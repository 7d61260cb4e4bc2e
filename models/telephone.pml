/* A telephone system with PHONES phones, after the first example of Jensen's "Coloured Petri Nets":
 * whoever lifts the receiver may dial any number; a phone that is idle rings, all others are engaged.
 * Either side may replace the receiver, and the other one hears that the connection is broken.
 * Option: -D PHONES=N. */
#ifndef PHONES
#define PHONES 3
#endif
#define NOBODY PHONES

mtype = {idle, tone, engaged, calling, ringing, talking, replaced};
mtype state[PHONES] = idle;
byte with[PHONES] = NOBODY;

active [PHONES] proctype Phone() {
  byte other;
  do
  :: atomic { state[_pid] == idle -> state[_pid] = tone }
  :: atomic { state[_pid] == tone ->
       select (other : 0 .. PHONES - 1);
       if
       :: state[other] == idle ->
          state[other] = ringing; with[other] = _pid; state[_pid] = calling; with[_pid] = other
       :: else -> state[_pid] = engaged
       fi;
       other = 0 }
  :: atomic { state[_pid] == ringing ->
       state[_pid] = talking; state[with[_pid]] = talking }
  :: atomic { state[_pid] == calling -> /* gives up */
       state[with[_pid]] = idle; with[with[_pid]] = NOBODY;
       state[_pid] = idle; with[_pid] = NOBODY }
  :: atomic { state[_pid] == talking ->
       state[with[_pid]] = replaced; with[with[_pid]] = NOBODY;
       state[_pid] = idle; with[_pid] = NOBODY }
  :: atomic { state[_pid] == tone || state[_pid] == engaged || state[_pid] == replaced ->
       state[_pid] = idle }
  od
}
