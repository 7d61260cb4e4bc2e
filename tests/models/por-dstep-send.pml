// options: --keep-going
// expect: violated model-error states=11 events=13 deadlocks=0
// The channel may still be full when the d_step comes to its send, which is an error there.
chan c = [1] of { bit };
bit b;
active proctype W() { b = 1 }
active proctype P() { c!0; d_step { b; c!1 } }
active proctype Q() { c?0; c?1 }
