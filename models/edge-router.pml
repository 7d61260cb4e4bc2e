/* Edge router discovery: a router of the wired network gives each of PREFIXES address prefixes to
 * gateways of a mobile network, who ask for one when they hear an advertisement, and take it back when
 * it expires. CAPACITY messages fit into the network, which may lose them. After the protocol that
 * Kristensen and Jensen describe ("Specification and validation of an edge router discovery protocol
 * for mobile ad hoc networks", 2004), with one gateway.
 * Options: -D PREFIXES=N, -D CAPACITY=N. */
#ifndef PREFIXES
#define PREFIXES 2
#endif
#ifndef CAPACITY
#define CAPACITY 2
#endif
#define NONE PREFIXES

mtype = {solicit, advertise};
chan to_router = [CAPACITY] of {mtype, byte};
chan to_gateway = [CAPACITY] of {mtype, byte};
bit given[PREFIXES];  /* as the router sees it, */
bit held[PREFIXES];   /* and as the gateway does */

active [PREFIXES] proctype Timer() { /* of one prefix, at both ends */
  do
  :: given[_pid] -> given[_pid] = 0
  :: held[_pid] -> held[_pid] = 0
  od
}

active proctype Router() {
  byte p;
  do
  :: nfull(to_gateway) -> to_gateway!advertise, NONE
  :: atomic { to_router?solicit, p ->
       if
       :: p != NONE -> given[p] = 1
       :: else ->
          p = 0;
          do
          :: p < PREFIXES && given[p] -> p++
          :: else -> break
          od;
          if
          :: p < PREFIXES -> given[p] = 1
          :: else
          fi
       fi }
     if
     :: to_gateway!advertise, p
     fi;
     p = 0
  od
}

active proctype Gateway() {
  byte p;
  do
  :: atomic { to_gateway?advertise, p ->
       if
       :: p != NONE -> held[p] = 1
       :: else
       fi }
     if
     :: p == NONE && nfull(to_router) -> to_router!solicit, NONE
     :: p != NONE && nfull(to_router) -> to_router!solicit, p
     :: true
     fi;
     p = 0
  od
}

active proctype Network() {
  mtype what;
  byte p;
  do
  :: atomic { to_router?what, p -> what = 0; p = 0 }
  :: atomic { to_gateway?what, p -> what = 0; p = 0 }
  od
}
