// rule: What is in a rendezvous channel cannot be asked: an error, and the branch ends.
// cairn: violated model-error 6 6
// spin: 6 6 1
chan q = [0] of { byte };
active proctype P() { q!1 }
active proctype Q() { if :: q?[1] -> skip :: else -> skip fi; q?1 }
