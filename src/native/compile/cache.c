/* cache.c - results of the system compiler, kept from run to run.
 *
 * What is loaded from here runs inside this process, so: the folder and each
 * file must belong to the effective user and be writable by nobody else; links
 * are not followed; and a file ends with a trailer that holds its key, its size
 * and the hash of its content, so that a torn or foreign file is never taken.
 * Files are opened first and judged by their descriptor; the caller gets the
 * bytes that were judged, never a name.
 *
 * A file is written under a temporary name, synced and renamed, so that it
 * appears whole, also when several runs write the same one. The time of a file
 * is set at each use; the oldest go first when the folder grows too large.
 */
#include "native/compile/cache.h"

#include "native/compile/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#define CACHE_MAGIC         UINT64_C(0x31306e7269616303)
#define CACHE_OBJECT_BYTES  ((size_t)256 << 20)
#define CACHE_NAME          48
#define CACHE_SUFFIX        ".so"
#define CACHE_TEMPORARY     ".new-"
#define CACHE_STALE_SECONDS 3600

struct cache {
  struct budget *budget;
  int folder;
};

struct trailer { /* the end of every file, after the object */
  uint64_t magic;
  uint64_t key[2];
  uint64_t bytes;
  uint64_t hash[2];
};

static struct cache_key key_of(XXH128_hash_t hash) {
  return (struct cache_key){{hash.low64, hash.high64}};
}

struct cache_key cache_key(const char *text, const struct text *identity) {
  XXH128_hash_t of_identity = XXH3_128bits(identity->at, identity->length);
  XXH64_hash_t seed = of_identity.low64 ^ (of_identity.high64 * UINT64_C(0x9E3779B97F4A7C15));
  return key_of(XXH3_128bits_withSeed(text, strlen(text), seed));
}

static void name_of(struct cache_key key, char name[CACHE_NAME]) {
  snprintf(name, CACHE_NAME, "%016llx%016llx" CACHE_SUFFIX, (unsigned long long)key.half[1],
           (unsigned long long)key.half[0]);
}

/* ---- the folder -------------------------------------------------------------- */

static bool only_ours(const struct stat *status) {
  return status->st_uid == geteuid() && (status->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* The usual folder, its parents made where they are missing. */
static bool usual_folder(struct text *path) {
  const char *base = getenv("XDG_CACHE_HOME");
  const char *home = getenv("HOME");
  if (base != NULL && base[0] == '/') {
    text_puts(path, base);
  } else if (home != NULL && home[0] == '/') {
    text_printf(path, "%s/.cache", home);
  } else {
    return false;
  }
  if (!path->failed)
    mkdir(path->at, 0700);
  text_puts(path, "/cairn");
  return !path->failed;
}

struct cache *cache_open(const char *folder, struct budget *budget, struct text *remark) {
  if (folder != NULL && folder[0] == '\0')
    return NULL;
  struct cache *cache = NULL;
  struct text path;
  text_init(&path, budget, BUDGET_CODE);
  if (folder != NULL)
    text_puts(&path, folder);
  if (folder != NULL ? !path.failed : usual_folder(&path)) {
    mkdir(path.at, 0700);
    struct stat status;
    int fd = open(path.at, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0 && fstat(fd, &status) == 0 && !only_ours(&status))
      text_printf(remark,
                  "the cache folder %.200s is not used: it belongs to somebody else, or others "
                  "may write to it",
                  path.at);
    else if (fd >= 0)
      cache = budget_alloc(budget, BUDGET_CODE, sizeof *cache);
    if (cache != NULL)
      *cache = (struct cache){.budget = budget, .folder = fd};
    else if (fd >= 0)
      close(fd);
  }
  text_free(&path);
  return cache;
}

void cache_close(struct cache *cache) {
  if (cache == NULL)
    return;
  close(cache->folder);
  budget_free(cache->budget, BUDGET_CODE, cache, sizeof *cache);
}

/* ---- reading ----------------------------------------------------------------- */

/* Cuts the trailer off the bytes from `begin` on, if it fits them. */
static bool verify(struct text *object, size_t begin, struct cache_key key) {
  struct trailer trailer;
  size_t length = object->length - begin;
  if (length <= sizeof trailer)
    return false;
  length -= sizeof trailer;
  const char *at = object->at + begin;
  memcpy(&trailer, at + length, sizeof trailer);
  struct cache_key hash = key_of(XXH3_128bits(at, length));
  if (trailer.magic != CACHE_MAGIC || memcmp(trailer.key, key.half, sizeof key.half) != 0 ||
      trailer.bytes != length || memcmp(trailer.hash, hash.half, sizeof hash.half) != 0)
    return false;
  object->length = begin + length;
  return true;
}

bool cache_get(struct cache *cache, struct cache_key key, struct text *object) {
  char name[CACHE_NAME];
  name_of(key, name);
  /* Not blocking: the name may have become a pipe. */
  int fd = openat(cache->folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0)
    return false;
  struct stat status;
  size_t begin = object->length;
  bool good = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && only_ours(&status) &&
              file_read(fd, CACHE_OBJECT_BYTES, object) && verify(object, begin, key);
  if (good)
    futimens(fd, NULL);
  else
    object->length = begin;
  close(fd);
  return good;
}

/* ---- writing ----------------------------------------------------------------- */

static bool write_file(int fd, struct cache_key key, const struct text *object) {
  struct trailer trailer = {.magic = CACHE_MAGIC, .bytes = object->length};
  struct cache_key hash = key_of(XXH3_128bits(object->at, object->length));
  memcpy(trailer.key, key.half, sizeof trailer.key);
  memcpy(trailer.hash, hash.half, sizeof trailer.hash);
  return file_write(fd, object->at, object->length) &&
         file_write(fd, &trailer, sizeof trailer) && fsync(fd) == 0;
}

/* A name that no other run and no other thread of this one uses. */
static int create_temporary(int folder, char name[CACHE_NAME]) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  for (unsigned try = 0; try < 16; try++) {
    snprintf(name, CACHE_NAME, CACHE_TEMPORARY "%ld-%09ld-%u", (long)getpid(), now.tv_nsec,
             try);
    int fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd >= 0 || errno != EEXIST)
      return fd;
  }
  return -1;
}

struct sweep { /* what one look through the folder found */
  uint64_t bytes;
  struct timespec oldest;
  char name[CACHE_NAME];
};

static bool older(const struct timespec *a, const struct timespec *b) {
  return a->tv_sec != b->tv_sec ? a->tv_sec < b->tv_sec : a->tv_nsec < b->tv_nsec;
}

/* Whether it is one of our files: hexadecimal digits and the ending. */
static bool is_entry(const char *name) {
  return strspn(name, "0123456789abcdef") == 32 && strcmp(name + 32, CACHE_SUFFIX) == 0;
}

static void look_at(const struct cache *cache, const char *name, struct sweep *sweep) {
  struct stat status;
  bool temporary = strncmp(name, CACHE_TEMPORARY, strlen(CACHE_TEMPORARY)) == 0;
  if ((!temporary && !is_entry(name)) ||
      fstatat(cache->folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
    return;
  /* Left by a run that was killed. */
  if (temporary && status.st_mtim.tv_sec + CACHE_STALE_SECONDS < time(NULL))
    unlinkat(cache->folder, name, 0);
  if (temporary)
    return;
  sweep->bytes += (uint64_t)status.st_size;
  if (sweep->name[0] == '\0' || older(&status.st_mtim, &sweep->oldest)) {
    sweep->oldest = status.st_mtim;
    strcpy(sweep->name, name);
  }
}

static bool look_through(const struct cache *cache, struct sweep *sweep) {
  *sweep = (struct sweep){0};
  int fd = openat(cache->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *list = fd >= 0 ? fdopendir(fd) : NULL;
  if (list == NULL) {
    if (fd >= 0)
      close(fd);
    return false;
  }
  for (struct dirent *entry; (entry = readdir(list)) != NULL;)
    look_at(cache, entry->d_name, sweep);
  closedir(list);
  return true;
}

/* One look per file removed: it is one file at a time that is too many. */
static void remove_oldest(const struct cache *cache, uint64_t most) {
  struct sweep sweep;
  while (look_through(cache, &sweep) && sweep.bytes > most && sweep.name[0] != '\0')
    if (unlinkat(cache->folder, sweep.name, 0) != 0)
      return;
}

bool cache_put(struct cache *cache, struct cache_key key, const struct text *object,
               uint64_t most) {
  char name[CACHE_NAME], temporary[CACHE_NAME];
  name_of(key, name);
  int fd = create_temporary(cache->folder, temporary);
  if (fd < 0)
    return false;
  bool written = write_file(fd, key, object);
  written = close(fd) == 0 && written;
  if (!written || renameat(cache->folder, temporary, cache->folder, name) != 0) {
    unlinkat(cache->folder, temporary, 0);
    return false;
  }
  remove_oldest(cache, most);
  return true;
}
