/* Embedded C that is never closed. */
init { c_code { if (x) { } }
