/* instant.c - C text to machine code in memory, with libtcc.
 *
 * For our own texts no standard library and no include files are used, so that nothing but
 * the program itself has to be on the machine; and whatever the compiler has to say about
 * them, warnings included, is an internal error.
 *
 * The code is put into memory of the budget and, but for users' texts, sealed against writing
 * once it is relocated: a compiled model keeps no state, and this holds it to that.
 * libtcc ends the process when the kernel refuses to make memory executable, so
 * the kernel is asked before, on a page of our own.
 */
#include "native/compile/instant.h"

#include <libtcc.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* libtcc compiles through variables of its own. */
static pthread_mutex_t instant_mutex = PTHREAD_MUTEX_INITIALIZER;

/* What libtcc takes while it compiles: measured, half a MiB and four bytes per
 * byte of text. */
#define INSTANT_BASE_BYTES  ((size_t)1 << 20)
#define INSTANT_TEXT_FACTOR 6

struct hearing {
  bool is_users;
  struct text *text;
};

/* Of a user's text the first error is said, and warnings are not. */
static void note_message(void *context, const char *message) {
  const struct hearing *h = context;
  if (h->is_users && h->text->length == 0 && strstr(message, "warning: ") == NULL)
    text_printf(h->text, "%.300s", message);
  if (h->is_users || h->text->length >= 2000)
    return;
  text_puts(h->text, h->text->length > 0 ? "; " : "internal error: generated code: ");
  text_puts(h->text, message);
}

/* libtcc wants its regions writable and executable at once. */
static bool executable_memory_allowed(void) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  void *at = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED)
    return false;
  bool allowed = mprotect(at, page, PROT_READ | PROT_WRITE | PROT_EXEC) == 0;
  munmap(at, page);
  return allowed;
}

/* Where address space is limited, libtcc only says that it failed, as for an error in
 * the text. It maps more than it touches, up to one and a half times as much. */
static bool can_have(size_t bytes) {
  void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return at != MAP_FAILED && munmap(at, bytes) == 0;
}

static bool compile(TCCState *tcc, const struct unit *unit, struct hearing *hearing) {
  tcc_set_error_func(tcc, hearing, note_message);
  tcc_set_options(tcc, unit->is_users ? "-w" : "-nostdlib -nostdinc -Wall");
  tcc_set_output_type(tcc, TCC_OUTPUT_MEMORY);
  for (uint32_t i = 0; i < 2 && unit->folder[i] != NULL; i++)
    tcc_add_include_path(tcc, unit->folder[i]);
  if (tcc_add_symbol(tcc, "memcpy", (const void *)memcpy) < 0 ||
      tcc_add_symbol(tcc, "memmove", (const void *)memmove) < 0 ||
      tcc_add_symbol(tcc, "memset", (const void *)memset) < 0)
    return false;
  return tcc_compile_string(tcc, unit->text) == 0 && hearing->text->length == 0;
}

/* Copies the code to its final place and seals it. */
static bool place(TCCState *tcc, const struct unit *unit, struct budget *budget,
                  struct instant_code *out, struct reason *why) {
  int bytes = tcc_relocate(tcc, NULL);
  if (bytes <= 0)
    return false;
  out->bytes = (size_t)bytes;
  out->memory = budget_map(budget, BUDGET_CODE, out->bytes, false);
  if (out->memory == NULL) {
    reason_limit(why, "the memory budget has no room for the compiled model");
    return false;
  }
  if (tcc_relocate(tcc, out->memory) != 0)
    return false;
  out->symbol = tcc_get_symbol(tcc, unit->symbol);
  if (out->symbol == NULL && unit->is_users)
    text_printf(&why->text, "it does not define %s", unit->symbol);
  return out->symbol != NULL &&
         (unit->is_users || mprotect(out->memory, out->bytes, PROT_READ | PROT_EXEC) == 0);
}

static bool build(const struct unit *unit, struct budget *budget, struct instant_code *out,
                  struct reason *why) {
  TCCState *tcc = tcc_new();
  if (tcc == NULL)
    return false;
  struct hearing hearing = {unit->is_users, &why->text};
  bool done = compile(tcc, unit, &hearing) && place(tcc, unit, budget, out, why);
  tcc_delete(tcc);
  if (done && !unit_fits(unit, out->symbol)) {
    text_printf(&why->text, "its %s is of another version", unit->symbol);
    done = false;
  }
  return done;
}

bool instant_build(const struct unit *unit, struct budget *budget, struct instant_code *out,
                   struct reason *why) {
  *out = (struct instant_code){0};
  if (!executable_memory_allowed()) {
    text_puts(&why->text,
              "this system forbids executable memory, which compiled models need "
              "(a security policy such as SELinux's execmem); the compiler 'cc' may work");
    return false;
  }
  size_t needed = INSTANT_BASE_BYTES + INSTANT_TEXT_FACTOR * strlen(unit->text);
  if (!budget_claim(budget, BUDGET_CODE, needed)) {
    reason_limit(why, "the memory budget has no room to compile the model");
    return false;
  }
  pthread_mutex_lock(&instant_mutex);
  bool room = can_have(2 * needed);
  bool done = room && build(unit, budget, out, why);
  pthread_mutex_unlock(&instant_mutex);
  if (!room)
    reason_limit(why, "the system gives no more memory to compile the model");
  budget_return(budget, BUDGET_CODE, needed);
  if (!done) {
    instant_free(out, budget);
    if (why->text.length == 0)
      text_puts(&why->text, unit->is_users
                                ? "it cannot be compiled"
                                : "internal error: the generated code could not be compiled");
  }
  return done;
}

void instant_free(struct instant_code *code, struct budget *budget) {
  if (code->memory != NULL) {
    /* The region goes back as it came. */
    mprotect(code->memory, code->bytes, PROT_READ | PROT_WRITE);
    budget_unmap(budget, BUDGET_CODE, code->memory, code->bytes);
  }
  *code = (struct instant_code){0};
}
