/* diagnostics.h - messages about a model as JSON. */
#ifndef CAIRN_REPORT_DIAGNOSTICS_H
#define CAIRN_REPORT_DIAGNOSTICS_H

#include "report/json.h"

#include "base/diag.h"

/* An array of objects; `diag` NULL: an empty one. */
void diagnostics_write(struct json *, const char *key, const struct diag *);

/* Each as an object on a line of its own. */
void diagnostics_print(const struct diag *, FILE *);

#endif
