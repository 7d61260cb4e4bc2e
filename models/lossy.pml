/* A protocol over links that lose messages, in Promela: the alternating bit.
 *
 * Every message carries a bit, and is sent again until its bit comes back. The receiver
 * delivers a message only if the bit is the one it waits for: what comes again is only
 * acknowledged. The links may lose whatever they carry.
 *
 * What is to be shown: every number arrives once, and in order. The numbers count up to
 * COUNT and begin again, which keeps the state space finite.
 *
 * Run:     cairn check models/lossy.pml
 * Expect:  verified, also with larger numbers: -D COUNT=20
 * Try:     cairn check models/lossy.pml -D TRUSTING
 *          the receiver does not look at the bit: violated, a message arrives twice. */
#ifndef COUNT
#define COUNT 4
#endif

mtype = { data, ack };

chan out = [1] of { mtype, byte, bit };
chan back = [1] of { mtype, bit };

active proctype sender() {
  byte number;
  bit mine, heard;
  do
  :: out!data(number, mine)           /* for the first time, or again */
  :: out?_, _, _                      /* the link loses a message */
  :: back?ack(heard) ->
     if
     :: heard == mine ->
        mine = !mine;
        number = (number + 1) % COUNT
     :: else                          /* an old acknowledgement */
     fi
  od
}

active proctype receiver() {
  byte number, expected;
  bit bit_of, awaited;
  do
  :: out?data(number, bit_of) ->
     if
#ifdef TRUSTING
     :: true ->
#else
     :: bit_of == awaited ->
#endif
        assert(number == expected);
        expected = (expected + 1) % COUNT;
        awaited = !awaited
     :: else                          /* seen before */
     fi;
     do
     :: back!ack(bit_of) -> break
     :: back?_, _                     /* the link loses an acknowledgement */
     od
  od
}
