/* The nearest cycle is some 20,000 states away; the one that is found first has a long way to it. */
byte d, x, y, z;
active proctype D() {
  do
  :: atomic { d < 200 -> d++ }
  :: x == 8 && y == 8 && z == 8 -> accept: d = d
  od
}
active proctype X() { do :: atomic { x < 8 -> x++ } od }
active proctype Y() { do :: atomic { y < 8 -> y++ } od }
active proctype Z() { do :: atomic { z < 8 -> z++ } od }
