/* file.h - whole files in and out, with a full disk as an ordinary answer. */
#ifndef CAIRN_NATIVE_COMPILE_FILE_H
#define CAIRN_NATIVE_COMPILE_FILE_H

#include "base/text.h"

/* Writes all bytes. False with errno set if the disk is full, a limit on file
 * sizes is reached (no signal is raised then), or anything else goes wrong. */
bool file_write(int fd, const void *bytes, size_t n);

/* Appends at most `most` bytes of the file to the text. False if it cannot be
 * read, is longer, or memory runs out. */
bool file_read(int fd, size_t most, struct text *out);

/* Makes a private folder for short-lived files under $TMPDIR or /tmp; its path
 * is appended to *path. False, with the text unchanged, if there is none to be had. */
bool file_make_folder(struct text *path);

/* Removes such a folder with everything in it; no link is followed. */
void file_remove_folder(const char *path);

#endif
