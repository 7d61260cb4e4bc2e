/* unreached.h - the statements that no run ever reached. */
#ifndef CAIRN_REPORT_UNREACHED_H
#define CAIRN_REPORT_UNREACHED_H

#include "report/json.h"
#include "report/outcome.h"

enum unreached_kind {
  UNREACHED,               /* control never was in front of it */
  UNREACHED_NEVER_POSSIBLE /* it was, but the statement could not be done */
};

/* The keys "unreached" and "never_possible": lists of objects, or null. */
void unreached_write(struct json *, const struct outcome *);

#endif
