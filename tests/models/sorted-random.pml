// options: --keep-going
// expect: violated states=163 events=285 errors=4
// also: cc
// Sorted sends, random receives, peeks and polls on three fields.
mtype = { m1, m2, m3 };
chan q = [4] of { mtype, byte, short };
active proctype S() { q!!m2,3,-1; q!!m1,5,2; q!!m2,1,7; q!!m2,3,-4 }
active proctype R() { mtype m; byte b; short s;
 do :: q??m2,b,s -> printf("%d %d\n",b,s) :: q??eval(m),3,s :: q?<m,b,s> -> q?_,_,_ :: q??<m1,b,_> -> break :: q??[m3,0,0] -> skip :: len(q)==4 && q?[m1,5,2] -> q?m,b,s od }
