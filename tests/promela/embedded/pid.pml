// _pid and _nr_pr as C sees them.
byte a[3], most;
active [3] proctype P() { c_code { now.a[PP->_pid] = now._nr_pr; if (now._nr_pr > now.most) now.most = now._nr_pr; } }
