/* unreached.h - the statements that no run ever reached. */
#ifndef CAIRN_REPORT_UNREACHED_H
#define CAIRN_REPORT_UNREACHED_H

#include "report/json.h"
#include "report/outcome.h"

/* Only a complete search of a language with statements knows. */
bool unreached_is_known(const struct outcome *);

enum unreached_kind {
  UNREACHED,               /* control never was in front of it */
  UNREACHED_NEVER_POSSIBLE /* it was, but the statement could not be done */
};

/* Tells each, by proctype, then by place. False if memory ran out. */
bool unreached_each(const struct outcome *, enum unreached_kind,
                    void (*tell)(void *context, const struct ts_statement *), void *context);

/* The keys "unreached" and "never_possible": lists of objects, or null. */
void unreached_write(struct json *, const struct outcome *);

#endif
