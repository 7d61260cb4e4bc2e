/* A file that is not there. */
#include "not-there.h"
init { skip }
