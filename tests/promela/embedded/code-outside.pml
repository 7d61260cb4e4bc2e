// Functions that use now, called from several processes.
byte x, y;
c_code { static int sum(int k) { return now.x + now.y + k; } static void set(int v) { now.y = v; } }
active proctype A() { do :: x < 3 -> x++ od }
active proctype B() { do :: c_expr { sum(1) < 6 } -> c_code { set(sum(0) % 4); } od }
