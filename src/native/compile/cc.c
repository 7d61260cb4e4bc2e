/* cc.c - the system's compiler: finding it, and having it compile a text.
 *
 * The compiler is a guest: lowest priority, bounded in time, memory and file
 * size, its memory claimed from the budget for as long as it runs, and all its
 * files in one private folder that goes away with it. Errors are not expected
 * (the same text has passed libtcc), so only the first line of what it says is
 * kept for the message.
 *
 * -O2 gains 4 to 8 % of the search (pftp, peterson.4, szymanski.4, firewire_link.7,
 * least of five runs), and takes nearly twice the time and memory of -O1 on the big
 * switches of generated code; so long texts get -O1. No strict aliasing: generated code sees a
 * row both as slots and as words. No standard library, but for texts of users: the few
 * functions used come from the program that loads the result.
 */
#include "native/compile/cc.h"

#include "native/compile/file.h"
#include "native/compile/run.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#define CC_MAX_WORDS    32
#define CC_OBJECT_BYTES ((size_t)256 << 20)
#define CC_DISK_BYTES   ((size_t)256 << 10)
/* Address space that compilers map without touching much of it: their own code and
 * libraries. clang needs 200 MiB of it for an empty text, gcc 50. */
#define CC_IMAGE_BYTES  ((uint64_t)192 << 20)

static const char *const cc_flags[] = {
    "-std=gnu11",      "-shared", "-fPIC", "-fwrapv", "-fno-strict-aliasing",
    "-fno-math-errno", "-w",      "-x",    "c"};
#define CC_FLAGS      (sizeof cc_flags / sizeof cc_flags[0])
#define CC_SHORT_TEXT ((size_t)128 << 10) /* bytes; longer ones are optimised less */

struct cc {
  struct budget *budget;
  struct text identity;
  char *word[CC_MAX_WORDS]; /* path of the program, then the user's options */
  uint32_t n_words;
  char words[4096]; /* what `word` points into, but for the path */
  char path[4096];
};

/* Measured on generated code: gcc -O1 takes 3 us and 200 bytes of memory per byte
 * of text, clang somewhat more, both 30 to 60 MB to begin with. The limits leave
 * room for slow machines and other compilers. */
struct cc_limits cc_limits_for(size_t text_bytes) {
  uint64_t kilobytes = text_bytes / 1024 + 1;
  uint64_t cpu = 30 + kilobytes / 16;
  uint32_t seconds = cpu < 600 ? (uint32_t)cpu : 600;
  return (struct cc_limits){.cpu_seconds = seconds,
                            .seconds = 10.0 * seconds,
                            .memory_bytes = ((uint64_t)128 << 20) + kilobytes * (512 << 10)};
}

/* ---- finding ----------------------------------------------------------------- */

static bool is_program(const char *path, struct stat *status) {
  return stat(path, status) == 0 && S_ISREG(status->st_mode) && access(path, X_OK) == 0;
}

static bool search_path(struct cc *cc, const char *name, struct stat *status) {
  if (strchr(name, '/') != NULL) {
    if (strlen(name) >= sizeof cc->path || !is_program(name, status))
      return false;
    strcpy(cc->path, name);
    return true;
  }
  const char *path = getenv("PATH");
  while (path != NULL && *path != '\0') {
    size_t length = strcspn(path, ":");
    /* An empty entry would mean the current folder: never run a program from there. */
    if (path[0] == '/' && length + strlen(name) + 2 <= sizeof cc->path) {
      memcpy(cc->path, path, length);
      cc->path[length] = '/';
      strcpy(cc->path + length + 1, name);
      if (is_program(cc->path, status))
        return true;
    }
    path += length;
    path += *path == ':';
  }
  return false;
}

static bool split_words(struct cc *cc, const char *command) {
  if (strlen(command) >= sizeof cc->words)
    return false;
  strcpy(cc->words, command);
  char *rest = NULL;
  for (char *word = strtok_r(cc->words, " \t\n", &rest); word != NULL;
       word = strtok_r(NULL, " \t\n", &rest)) {
    if (cc->n_words == CC_MAX_WORDS)
      return false;
    cc->word[cc->n_words++] = word;
  }
  return cc->n_words > 0;
}

static void identify(struct cc *cc, const struct stat *status) {
  struct utsname machine;
  struct text *identity = &cc->identity;
  text_printf(identity, "%s %lld %lld.%09ld %s", cc->path, (long long)status->st_size,
              (long long)status->st_mtim.tv_sec, status->st_mtim.tv_nsec,
              uname(&machine) == 0 ? machine.machine : "");
  for (uint32_t i = 1; i < cc->n_words; i++)
    text_printf(identity, " %s", cc->word[i]);
  for (uint32_t i = 0; i < CC_FLAGS; i++)
    text_printf(identity, " %s", cc_flags[i]);
  text_printf(identity, " -O2 to %zu", CC_SHORT_TEXT);
}

struct cc *cc_find(struct budget *budget, struct reason *why) {
  struct cc *cc = budget_alloc(budget, BUDGET_CODE, sizeof *cc);
  if (cc == NULL) {
    reason_limit(why, "the memory budget is exhausted");
    return NULL;
  }
  cc->budget = budget;
  text_init(&cc->identity, budget, BUDGET_CODE);
  const char *command = getenv("CC");
  bool chosen = command != NULL && command[strspn(command, " \t\n")] != '\0';
  struct stat status;
  if (split_words(cc, chosen ? command : "cc") && search_path(cc, cc->word[0], &status)) {
    cc->word[0] = cc->path;
    identify(cc, &status);
    if (!cc->identity.failed)
      return cc;
    reason_limit(why, "the memory budget is exhausted");
  } else if (chosen) {
    text_printf(&why->text, "the compiler named by $CC (%.200s) was not found", command);
  } else {
    text_puts(&why->text, "no system compiler (cc) was found");
  }
  cc_close(cc);
  return NULL;
}

void cc_close(struct cc *cc) {
  if (cc == NULL)
    return;
  text_free(&cc->identity);
  budget_free(cc->budget, BUDGET_CODE, cc, sizeof *cc);
}

const struct text *cc_identity(const struct cc *cc) {
  return &cc->identity;
}

/* ---- compiling --------------------------------------------------------------- */

extern char **environ;

#define CC_MAX_ENVIRONMENT 4096

struct cc_job {
  const struct cc *cc;
  const struct cc_limits *limits;
  bool (*stop)(void *, double);
  void *context;
  const char *folder;
  char source[4200], object[4200], messages[4200], temporary[4200];
  const char *argument[CC_MAX_WORDS + CC_FLAGS + 12];
  char *environment[CC_MAX_ENVIRONMENT + 3];
};

static bool starts_with(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* The user's environment, but temporary files in our folder and plain messages. */
static void prepare(struct cc_job *job, const char *folder, const struct unit *unit) {
  job->folder = folder;
  snprintf(job->source, sizeof job->source, "%s/model.c", folder);
  snprintf(job->object, sizeof job->object, "%s/model.so", folder);
  snprintf(job->messages, sizeof job->messages, "%s/messages", folder);
  snprintf(job->temporary, sizeof job->temporary, "TMPDIR=%s", folder);
  uint32_t n = 0;
  job->argument[n++] = job->cc->word[0];
  for (uint32_t i = 0; i < CC_FLAGS; i++)
    job->argument[n++] = cc_flags[i];
  job->argument[n++] = strlen(unit->text) <= CC_SHORT_TEXT ? "-O2" : "-O1";
  if (!unit->is_users)
    job->argument[n++] = "-nostdlib";
  else /* a variable named as a function of the library is the user's */
    job->argument[n++] = "-Wl,-Bsymbolic";
  for (uint32_t i = 0; i < 2 && unit->folder[i] != NULL; i++) {
    job->argument[n++] = "-I";
    job->argument[n++] = unit->folder[i];
  }
  /* The user's options come later, and so have the last word. */
  for (uint32_t i = 1; i < job->cc->n_words; i++)
    job->argument[n++] = job->cc->word[i];
  job->argument[n++] = "-o";
  job->argument[n++] = job->object;
  job->argument[n++] = job->source;
  n = 0;
  for (char **entry = environ; *entry != NULL && n < CC_MAX_ENVIRONMENT; entry++)
    if (!starts_with(*entry, "TMPDIR=") && !starts_with(*entry, "LC_ALL="))
      job->environment[n++] = *entry;
  job->environment[n++] = job->temporary;
  static char plain[] = "LC_ALL=C";
  job->environment[n++] = plain;
}

static bool write_source(const struct cc_job *job, const char *text) {
  int fd = open(job->source, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0)
    return false;
  bool done = file_write(fd, text, strlen(text));
  return close(fd) == 0 && done;
}

static bool read_object(const struct cc_job *job, struct text *object) {
  int fd = open(job->object, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0)
    return false;
  bool done = file_read(fd, CC_OBJECT_BYTES, object) && object->length > 0;
  close(fd);
  return done;
}

/* The first line that the compiler printed, of a user's text the first one that is an error;
 * with odd bytes blotted out. */
static void quote_messages(int fd, bool is_users, struct text *why) {
  char printed[2000], *line = printed;
  ssize_t got = pread(fd, printed, sizeof printed - 1, 0);
  if (got <= 0)
    return;
  printed[got] = '\0';
  const char *error = is_users ? strstr(printed, "error: ") : NULL;
  for (char *end; error != NULL && (end = strchr(line, '\n')) != NULL && end < error;)
    line = end + 1;
  line[strcspn(line, "\n")] = '\0';
  for (char *at = line; *at != '\0'; at++)
    if ((unsigned char)*at < ' ' || *at == 127)
      *at = '?';
  text_printf(why, ": %.300s", line);
}

static bool run(const struct cc_job *job, bool is_users, struct reason *why) {
  int messages = open(job->messages, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (messages < 0) {
    reason_limit(why, "no temporary file can be made for the system compiler");
    return false;
  }
  struct run_order order = {.argument = (char *const *)(const void *)job->argument,
                            .environment = job->environment,
                            .output = messages,
                            .cpu_seconds = job->limits->cpu_seconds,
                            .memory_bytes = job->limits->memory_bytes + CC_IMAGE_BYTES,
                            .file_bytes = CC_OBJECT_BYTES,
                            .seconds = job->limits->seconds,
                            .stop = job->stop,
                            .context = job->context};
  enum run_result result = run_program(&order);
  static const char *const sentence[] = {[RUN_FAILED] = "the system compiler failed",
                                         [RUN_NOT_STARTED] =
                                             "the system compiler could not be started",
                                         [RUN_TOO_LONG] = "the system compiler took too long",
                                         [RUN_STOPPED] = "the compilation was stopped"};
  if (result != RUN_DONE)
    text_puts(&why->text, sentence[result]);
  why->is_limit |= result == RUN_TOO_LONG || result == RUN_STOPPED;
  if (result == RUN_FAILED)
    quote_messages(messages, is_users, &why->text);
  close(messages);
  return result == RUN_DONE;
}

/* A compiler that runs out of disk only fails; so there must be room beforehand.
 * Measured: gcc's files take four times the text. */
static bool has_disk(const char *folder, size_t text_bytes) {
  struct statvfs disk;
  if (statvfs(folder, &disk) != 0)
    return true;
  return disk.f_bavail >= (8 * text_bytes + CC_DISK_BYTES) / disk.f_frsize;
}

static bool compile_in(struct cc_job *job, const char *folder, const struct unit *unit,
                       struct text *object, struct reason *why) {
  const char *text = unit->text;
  prepare(job, folder, unit);
  if (!has_disk(folder, strlen(text)) || !write_source(job, text)) {
    reason_limit(why, "no room on the disk for the system compiler's files");
    return false;
  }
  if (!run(job, unit->is_users, why))
    return false;
  if (read_object(job, object))
    return true;
  text_puts(&why->text, "the system compiler made no usable file");
  return false;
}

bool cc_compile(const struct cc *cc, const struct unit *unit, const struct cc_limits *limits,
                bool (*stop)(void *context, double wait), void *context, struct text *object,
                struct reason *why) {
  uint64_t claimed = limits->memory_bytes;
  if (!budget_claim(cc->budget, BUDGET_CODE, claimed)) {
    reason_limit(why, "the memory budget has no room for the system compiler");
    return false;
  }
  bool done = false;
  struct text folder;
  text_init(&folder, cc->budget, BUDGET_CODE);
  struct cc_job *job = budget_alloc(cc->budget, BUDGET_CODE, sizeof *job);
  if (job == NULL) {
    reason_limit(why, "the memory budget is exhausted");
  } else if (!file_make_folder(&folder)) {
    reason_limit(why, "no temporary folder can be made for the system compiler");
  } else {
    *job = (struct cc_job){.cc = cc, .limits = limits, .stop = stop, .context = context};
    done = compile_in(job, folder.at, unit, object, why);
    file_remove_folder(folder.at);
  }
  budget_free(cc->budget, BUDGET_CODE, job, sizeof *job);
  text_free(&folder);
  budget_return(cc->budget, BUDGET_CODE, claimed);
  return done;
}
