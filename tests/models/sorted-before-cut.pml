// expect: verified states=11 events=10
// also: cc
// A sorted send compares the values before they are cut to the types of the fields.
chan q = [3] of { byte };
byte x;
active proctype P() {
  q!!300; q!!50; q!!299; q?x; assert(x == 44); q?x; assert(x == 50); q?x; assert(x == 43)
}
