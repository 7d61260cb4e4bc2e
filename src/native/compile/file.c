/* file.c - whole files in and out, with a full disk as an ordinary answer.
 *
 * A process whose file sizes are limited gets a signal that would end it when a
 * write passes the limit. The signal goes to the thread that writes, so that
 * thread holds it back and takes it off the list afterwards.
 */
#include "native/compile/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static bool write_all(int fd, const char *bytes, size_t n) {
  while (n > 0) {
    ssize_t done = write(fd, bytes, n);
    if (done < 0 && errno == EINTR)
      continue;
    if (done <= 0)
      return false;
    bytes += done;
    n -= (size_t)done;
  }
  return true;
}

bool file_write(int fd, const void *bytes, size_t n) {
  sigset_t limit, before, pending;
  sigemptyset(&limit);
  sigaddset(&limit, SIGXFSZ);
  pthread_sigmask(SIG_BLOCK, &limit, &before);
  sigpending(&pending);
  bool was_pending = sigismember(&pending, SIGXFSZ) == 1;
  bool done = write_all(fd, bytes, n);
  int error = errno;
  if (!done && !was_pending)
    sigtimedwait(&limit, NULL, &(struct timespec){0});
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = error;
  return done;
}

bool file_read(int fd, size_t most, struct text *out) {
  char block[16384];
  size_t total = 0;
  for (;;) {
    ssize_t got = read(fd, block, sizeof block);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return got == 0 && !out->failed;
    total += (size_t)got;
    if (total > most)
      return false;
    text_add(out, block, (size_t)got);
  }
}

bool file_make_folder(struct text *path) {
  const char *parent = getenv("TMPDIR");
  char name[4096];
  if (parent == NULL || parent[0] != '/' || strlen(parent) > sizeof name - 32)
    parent = "/tmp";
  strcpy(name, parent);
  strcat(name, "/cairn-XXXXXX");
  if (mkdtemp(name) == NULL)
    return false;
  text_puts(path, name);
  if (path->failed)
    rmdir(name);
  return !path->failed;
}

/* `depth` bounds the descent: compilers do not nest their temporary files. */
static void remove_inside(int folder, int depth) {
  DIR *list = fdopendir(folder);
  if (list == NULL) {
    close(folder);
    return;
  }
  for (struct dirent *entry; (entry = readdir(list)) != NULL;) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
        unlinkat(dirfd(list), entry->d_name, 0) == 0 || depth == 0)
      continue;
    int inner =
        openat(dirfd(list), entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (inner >= 0)
      remove_inside(inner, depth - 1);
    unlinkat(dirfd(list), entry->d_name, AT_REMOVEDIR);
  }
  closedir(list);
}

void file_remove_folder(const char *path) {
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder >= 0)
    remove_inside(folder, 8);
  rmdir(path);
}
