/* header.h - include/cairn/model.h, as it was when this program was built. */
#ifndef CAIRN_FOREIGN_HEADER_H
#define CAIRN_FOREIGN_HEADER_H

extern const char foreign_header_text[];

#endif
