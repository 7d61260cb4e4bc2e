// rule: A sorted send compares values before they are cut, as Spin's verifier does; its simulator cuts first.
// cairn: verified 6 5
// spin: 6 6 0
chan q = [2] of { byte };
byte x;
active proctype P() { q!!50; q!!300; q?x; assert(x == 50) }
