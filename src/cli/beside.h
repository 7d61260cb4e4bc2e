/* beside.h - the claim that `cairn sim` and `cairn graph` run beside a model. */
#ifndef CAIRN_CLI_BESIDE_H
#define CAIRN_CLI_BESIDE_H

#include "cli/loaded.h"

#include "search/search.h"

/* The product of the model with the one claim or formula that the options ask for; *product is
 * NULL if they ask for none. False after an error, which was said. The product is closed by
 * ts_product_close(). */
bool beside_open(struct loaded *, const struct options *, struct ts **product);

/* Looks for a run that the claim of the product accepts: a way to an error, or a lasso. The
 * result is freed by search_result_free(). */
void beside_search(struct loaded *, const struct ts *product, struct search_result *);

#endif
