/* The channel of simulators. */
init { byte x; STDIN?x }
