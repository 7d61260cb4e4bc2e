// expect: verified states=9 events=8
// One of the labels is enough for P@L.
chan c = [0] of { bit };
byte x;
active proctype P() {
  atomic { x = 5; L: c!0 }
  atomic { x = 6; L: c!1 }
}
active proctype Q() { (P@L) -> c?0; (P@L) -> c?1 }
