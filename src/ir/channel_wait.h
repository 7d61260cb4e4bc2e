/* channel_wait.h - what a channel operation waits for. Private to this folder. */
#ifndef CAIRN_IR_CHANNEL_WAIT_H
#define CAIRN_IR_CHANNEL_WAIT_H

#include "ir/reason.h"

/* "c has no room: it holds 2 of 2 messages"; "" where it can be done, or there is none. */
const char *channel_wait(struct arena *, const struct evaluation *, const struct ir_edge *);

#endif
