// Which channel B uses is not known beforehand, but not that of A: without its claim nothing can be left out.
chan q[3] = [4] of { byte };
active proctype A() { xs q[0]; q[0]!1; q[0]!2; q[0]!3 }
active proctype B() { byte k = 1; q[k]!1; k = 3 - k; q[k]!2 }
