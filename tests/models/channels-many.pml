// expect: rejected 1:1 the model begins with 260 channels
chan q[200] = [1] of { byte };
active [3] proctype P() { chan l[20] = [0] of { bit }; q[0]!1 }
