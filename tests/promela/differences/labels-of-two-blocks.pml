// rule: Labels of one name in several blocks: P@L holds at each.
// cairn: verified 9 8
// spin: 5 5 1
chan c = [0] of { bit };
byte x;
active proctype P() {
  atomic { x = 5; L: c!0 }
  atomic { x = 6; L: c!1 }
}
active proctype Q() { (P@L) -> c?0; (P@L) -> c?1 }
