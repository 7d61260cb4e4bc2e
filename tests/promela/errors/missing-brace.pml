/* A process that is never closed. */
active proctype P() {
  atomic {
    skip

active proctype Q() { skip }
