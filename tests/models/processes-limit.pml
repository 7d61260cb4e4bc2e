// expect: violated model-error length=255
// options: --keep-going
// expect: violated model-error states=255 events=255 errors=1
// Recursion without an end: there is room for 255 processes.
proctype A() { run A(); false }
init { run A() }
