/* Words of the language as names. */
byte len;
byte active;
proctype do() { skip }
init { byte timeout; skip }
