/* watched.h - what conditions of states look at. Private to this folder. */
#ifndef CAIRN_IR_WATCHED_H
#define CAIRN_IR_WATCHED_H

#include "ir/touch.h"

/* Adds to the control what the properties look at, and each atom. `touch` is of no instance,
 * and only used where the model has some. */
void watched_find(struct touch *, struct marks *, struct ts_control *);

#endif
