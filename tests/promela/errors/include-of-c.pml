#include <stdio.h>
active proctype P() { skip }
