/* load.c - bytes of a shared object to running code, without a file to trust.
 *
 * What was checked and what is loaded must be the same bytes. A file on disk may
 * change between the two; a copy in anonymous memory, sealed before it is loaded,
 * cannot. It is loaded by its name under /proc/self/fd. The loader takes two
 * objects of one name for the same, so the descriptor, and with it the name,
 * stays taken for as long as the code is loaded.
 *
 * Where anonymous files may not be executed, a file in a private folder is
 * loaded and removed at once.
 */
#include "native/compile/load.h"

#include "native/compile/file.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#define LOAD_SEALS (F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE)

static void *open_sealed(const struct text *object, int *fd) {
  *fd = memfd_create("cairn-model", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (*fd < 0)
    return NULL;
  char name[64];
  snprintf(name, sizeof name, "/proc/self/fd/%d", *fd);
  if (file_write(*fd, object->at, object->length) && fcntl(*fd, F_ADD_SEALS, LOAD_SEALS) == 0) {
    void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (handle != NULL)
      return handle;
  }
  close(*fd);
  *fd = -1;
  return NULL;
}

static void *open_private(const struct text *object) {
  void *handle = NULL;
  struct text path;
  text_init(&path, object->budget, object->purpose);
  if (file_make_folder(&path)) {
    size_t folder = path.length;
    text_puts(&path, "/model.so");
    int fd = path.failed ? -1 : open(path.at, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd >= 0) {
      bool written = file_write(fd, object->at, object->length);
      if (close(fd) == 0 && written)
        handle = dlopen(path.at, RTLD_NOW | RTLD_LOCAL);
    }
    path.at[folder] = '\0';
    file_remove_folder(path.at);
  }
  text_free(&path);
  return handle;
}

bool load_object(const struct text *object, const struct unit *unit, struct budget *budget,
                 struct load_code *out, struct reason *why) {
  /* The file in memory, and what the loader copies of it. */
  *out = (struct load_code){.fd = -1, .bytes = 2 * object->length};
  if (!budget_claim(budget, BUDGET_CODE, out->bytes)) {
    out->bytes = 0;
    reason_limit(why, "the memory budget has no room for the compiled model");
    return false;
  }
  out->handle = open_sealed(object, &out->fd);
  if (out->handle == NULL)
    out->handle = open_private(object);
  if (out->handle == NULL) {
    const char *message = dlerror();
    text_printf(&why->text, "the compiled model cannot be loaded: %.200s",
                message != NULL ? message : "no private file can be made");
  } else {
    out->symbol = dlsym(out->handle, unit->symbol);
    if (out->symbol != NULL && unit_fits(unit, out->symbol))
      return true;
    if (unit->is_users)
      text_printf(&why->text,
                  out->symbol == NULL ? "it does not define %s"
                                      : "its %s is of another version",
                  unit->symbol);
    else
      text_puts(&why->text, "internal error: the compiled model does not fit this program");
  }
  load_free(out, budget);
  return false;
}

void load_free(struct load_code *code, struct budget *budget) {
  if (code->handle != NULL)
    dlclose(code->handle);
  if (code->fd >= 0)
    close(code->fd);
  if (code->bytes > 0)
    budget_return(budget, BUDGET_CODE, code->bytes);
  *code = LOAD_NONE;
}
