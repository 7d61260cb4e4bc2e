/* Stop and wait: a sender repeats each of PACKETS packets until it is acknowledged. The network holds
 * CAPACITY messages in each direction, may lose any of them, and delivers them in any order.
 * Options: -D PACKETS=N, -D CAPACITY=N. */
#ifndef PACKETS
#define PACKETS 3
#endif
#ifndef CAPACITY
#define CAPACITY 2
#endif

chan packets = [CAPACITY] of {byte};
chan acknowledgements = [CAPACITY] of {byte};
byte received; /* packets, in order */

active proctype Sender() {
  byte next, number;
end:
  do
  :: next < PACKETS && nfull(packets) -> packets!!next
  :: acknowledgements??number ->
     if
     :: number > next -> next = number
     :: else
     fi;
     number = 0
  od
}

active proctype Receiver() {
  byte number;
end:
  do
  :: packets??number ->
     if
     :: number == received -> received++
     :: else
     fi;
     number = 0;
     acknowledgements!!received
  od
}

active proctype Network() {
end:
  do
  :: packets??_
  :: acknowledgements??_
  od
}
