// rule: enabled(_pid) asks about the process like about any other.
// cairn: verified 4 3
// spin: no end
active proctype P() { if :: enabled(_pid) -> skip :: else -> skip fi }
