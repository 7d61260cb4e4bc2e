/* No process at the start. */
proctype P() { skip }
