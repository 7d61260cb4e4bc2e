/* A comment that is never closed. */
init { skip }
/* here
