// rule: The event of a send is the message that was sent, wherever it is put; that of a receive the one that was taken.
// cairn: verified 3 2
// spin: 3 3 2
chan q = [2] of { byte };
active proctype P() { q!!2; q!!1; end: false }
trace { q!2; q!1 }
