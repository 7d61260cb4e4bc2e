/* machine.c - how much memory this process may still take.
 *
 * A control group's usage includes file pages that the kernel drops as soon as
 * somebody needs the room; the inactive ones are taken off, as the kernel does
 * for MemAvailable. Groups are nested and each level may have a limit, so every
 * level up to the root is asked. Files that are missing mean no limit: a
 * container often sees only some of them.
 */
#include "base/machine.h"

#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

struct group_files { /* where one version of control groups keeps its figures */
  const char *mount, *limit, *usage, *inactive;
};

static const struct group_files group_v1 = {"/sys/fs/cgroup/memory", "memory.limit_in_bytes",
                                            "memory.usage_in_bytes", "total_inactive_file"};
static const struct group_files group_v2 = {"/sys/fs/cgroup", "memory.max", "memory.current",
                                            "inactive_file"};

static uint64_t least(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

/* a - b, or 0. */
static uint64_t left(uint64_t a, uint64_t b) {
  return a > b ? a - b : 0;
}

/* The number after `key` in a file of lines "key number"; with key "" the
 * number the file begins with. False if there is none. */
static bool read_number(const char *path, const char *key, uint64_t *number) {
  FILE *file = fopen(path, "re");
  if (file == NULL)
    return false;
  char line[256];
  const size_t skip = strlen(key);
  bool found = false;
  while (!found && fgets(line, sizeof line, file) != NULL)
    if (strncmp(line, key, skip) == 0)
      found = sscanf(line + skip, " %" SCNu64, number) == 1;
  fclose(file);
  return found;
}

static bool group_number(const char *folder, const char *name, const char *key,
                         uint64_t *number) {
  char path[PATH_MAX];
  const int n = snprintf(path, sizeof path, "%s/%s", folder, name);
  return n > 0 && (size_t)n < sizeof path && read_number(path, key, number);
}

static uint64_t group_level_free(const char *folder, const struct group_files *files) {
  uint64_t limit = 0, usage = 0, inactive = 0;
  if (!group_number(folder, files->limit, "", &limit) ||
      !group_number(folder, files->usage, "", &usage))
    return UINT64_MAX;
  group_number(folder, "memory.stat", files->inactive, &inactive);
  return left(limit, left(usage, inactive));
}

/* The least over a group and all above it. */
static uint64_t group_free(const char *root, const struct group_files *files,
                           const char *group) {
  char folder[PATH_MAX];
  const int n = snprintf(folder, sizeof folder, "%s%s%s", root, files->mount, group);
  if (n < 0 || (size_t)n >= sizeof folder)
    return UINT64_MAX;
  const size_t top = strlen(root) + strlen(files->mount);
  uint64_t free_bytes = UINT64_MAX;
  for (;;) {
    free_bytes = least(free_bytes, group_level_free(folder, files));
    if (strlen(folder) <= top)
      return free_bytes;
    *strrchr(folder, '/') = '\0';
  }
}

/* Does the comma-separated list name the controller? */
static bool controls_memory(const char *list) {
  const char *at = strstr(list, "memory");
  return at != NULL && (at == list || at[-1] == ',') && (at[6] == '\0' || at[6] == ',');
}

/* Lines of /proc/self/cgroup are "number:controllers:/group", version 2 has no
 * controllers. */
static uint64_t groups_free(const char *root) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
  FILE *file = fopen(path, "re");
  if (file == NULL)
    return UINT64_MAX;
  uint64_t free_bytes = UINT64_MAX;
  char line[PATH_MAX];
  while (fgets(line, sizeof line, file) != NULL) {
    line[strcspn(line, "\n")] = '\0';
    char *controllers = strchr(line, ':');
    char *group = controllers == NULL ? NULL : strchr(controllers + 1, ':');
    if (group == NULL || group[1] != '/')
      continue;
    *group++ = '\0';
    controllers++;
    if (*controllers == '\0')
      free_bytes = least(free_bytes, group_free(root, &group_v2, group));
    else if (controls_memory(controllers))
      free_bytes = least(free_bytes, group_free(root, &group_v1, group));
  }
  fclose(file);
  return free_bytes;
}

/* A stack takes this much and hardly more. */
#define STACK_BYTES ((uint64_t)128 << 10)

struct pages { /* of /proc/self/statm, in bytes */
  uint64_t total, resident, shared, data;
};

static bool read_pages(struct pages *pages) {
  FILE *file = fopen("/proc/self/statm", "re");
  if (file == NULL)
    return false;
  const bool good = fscanf(file, "%" SCNu64 " %" SCNu64 " %" SCNu64 " %*u %*u %" SCNu64,
                           &pages->total, &pages->resident, &pages->shared, &pages->data) == 4;
  fclose(file);
  const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  pages->total *= page;
  pages->resident *= page;
  pages->shared *= page;
  pages->data *= page;
  return good;
}

static uint64_t limits_free(void) {
  struct pages pages = {0};
  read_pages(&pages);
  uint64_t free_bytes = UINT64_MAX;
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    free_bytes = left(limit.rlim_cur, pages.total);
  if (getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    free_bytes = least(free_bytes, left(limit.rlim_cur, pages.data));
  return free_bytes;
}

uint64_t machine_free_memory(const char *root) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/proc/meminfo", root);
  uint64_t kibibytes = 0;
  uint64_t free_bytes = UINT64_MAX;
  if (read_number(path, "MemAvailable:", &kibibytes))
    free_bytes = kibibytes * 1024;
  return least(free_bytes, least(groups_free(root), limits_free()));
}

uint64_t machine_total_memory(const char *root) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/proc/meminfo", root);
  uint64_t memory = 0, swap = 0;
  if (!read_number(path, "MemTotal:", &memory))
    return UINT64_MAX;
  read_number(path, "SwapTotal:", &swap);
  return (memory + swap) * 1024;
}

/* Of the linker: where the program (or the library, where this is part of one) begins and ends,
 * with its constants and variables. */
extern char __ehdr_start[] __attribute__((visibility("hidden")));
extern char _end[] __attribute__((visibility("hidden")));

/* Code, constants and variables are read into memory as they are needed, and stay: what has not
 * been needed yet counts, too. */
uint64_t machine_own_memory(void) {
  struct pages pages = {0};
  if (!read_pages(&pages))
    return 0;
  uint64_t libraries = 0;
  read_number("/proc/self/status", "VmLib:", &libraries);
  const uint64_t mapped = libraries * 1024 + ((uintptr_t)_end - (uintptr_t)__ehdr_start);
  return left(pages.resident, pages.shared) + (mapped > pages.shared ? mapped : pages.shared) +
         STACK_BYTES;
}

uint64_t machine_peak_resident(void) {
  uint64_t kibibytes = 0;
  if (read_number("/proc/self/status", "VmHWM:", &kibibytes))
    return kibibytes * 1024;
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss * 1024 : 0;
}
