/* reduce.c - the list of reductions. */
#include "search/reduce/reduce.h"

extern const struct reduction_kind reduction_edge_lean, reduction_tnf, reduction_sleep;

const struct reduction_kind *const reduction_kinds[] = {&reduction_edge_lean, &reduction_tnf,
                                                        &reduction_sleep, NULL};
