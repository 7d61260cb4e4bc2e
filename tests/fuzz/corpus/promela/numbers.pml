/* Numbers are decimal. */
init { int x = 0x10; x = 1a; x = 99999999999; x = 'ab' }
