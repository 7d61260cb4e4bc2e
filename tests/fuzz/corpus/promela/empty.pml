/* Nothing where a statement must be. */
proctype P() { }
proctype Q() { if fi }
init { ; skip }
