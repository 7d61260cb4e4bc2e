/* Bytes that mean nothing. */
init { skip; ; x $ y; "open }
