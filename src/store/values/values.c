/* values.c - a set of hashes in lines, of which only some bits are kept, and not even these.
 *
 * The set is a quotienting table (Cleary, "Compact hash tables using bidirectional linear
 * probing", 1984): where a value is determines its high bits, so only the others, the
 * remainder, are stored, and 40 bits of a million values take 3 to 4 bytes.
 *
 * A line of 64 bytes holds, one after the other, a tag of 8 bits per slot, the rest
 * per slot, and the number of slots in use. A value t (its bits on top of 64) has
 * the home floor(t * homes / 2^64); the fraction that is cut off, its highest
 * `width - floor(log2 homes)` bits, is the remainder: values of one home differ in
 * the product by at least homes * 2^(64 - width), so their remainders differ. The
 * tag is the remainder's low byte; the rest is what is above it, and four bits that
 * say how many lines after its home the entry is. A full line passes an entry on
 * to the next; whoever is further from home stays (Celis, "Robin Hood hashing",
 * 1986), which keeps distances short at nine tenths full. Nothing is ever removed,
 * so an entry is at home or after full lines only.
 *
 * The order of values is the order of homes, so the table grows in place: from the
 * last line to the first, all entries move up. In the same way, from the first line
 * to the last, all values give up low bits when the table is to get narrower: the lines
 * then have more slots.
 */
#include "store/values/values.h"

enum {
  SAVED = 18 * LINE_REACH, /* lines from which entries may not move up beyond others */
  GIVE = 1 << 14 /* bytes given back at once: what comes after this set waits for them */
};

static size_t table_bytes(uint64_t homes) {
  return (homes + LINE_REACH - 1) * LINE + 8; /* 8: rests are read as whole words */
}

static void use_layout(struct values *s, const struct line_layout *layout) {
  s->layout = *layout;
  s->grow_at = layout->homes * layout->slots / 8 * 7;
  s->kept = UINT64_MAX << (64 - layout->width);
}

bool values_open(struct values *s, struct budget *budget, uint32_t width) {
  struct line_layout layout = line_layout(VALUES_LEAST_HOMES, width);
  *s = (struct values){.budget = budget, .bytes = table_bytes(layout.homes)};
  use_layout(s, &layout);
  s->lines = budget_map(budget, BUDGET_STORE, s->bytes, false);
  return s->lines != NULL;
}

/* Room for the lines of N homes, with what there is. */
static bool map_lines(struct values *s, uint64_t homes) {
  size_t bytes = table_bytes(homes);
  uint8_t *lines =
      budget_remap(s->budget, BUDGET_STORE, s->lines, s->bytes, bytes, bytes >= BUDGET_HUGE);
  if (lines == NULL)
    return false;
  s->lines = lines;
  s->bytes = bytes;
  return true;
}

void values_close(struct values *s) {
  budget_unmap(s->budget, BUDGET_STORE, s->lines, s->bytes);
}

/* The slot of a full line whose entry has come the least far. */
static uint32_t nearest(const struct line_layout *l, const uint8_t *line) {
  uint32_t best = 0, least = LINE_REACH;
  for (uint32_t i = 0; i < l->slots; i++) {
    uint32_t away = line_away(l, line, i);
    if (away < least) {
      least = away;
      best = i;
    }
  }
  return best;
}

static void place(struct values *s, uint64_t t) {
  const struct line_layout *l = &s->layout;
  struct line_value v = line_value(l, t);
  for (uint64_t at = v.home; at - v.home < LINE_REACH; at++) {
    uint8_t *line = s->lines + at * LINE;
    if (line[LINE_COUNT] < l->slots) {
      line_set(l, line, line[LINE_COUNT]++, v.remainder, at - v.home);
      return;
    }
    if (at == v.home)
      continue;
    uint32_t slot = nearest(l, line), away = line_away(l, line, slot);
    if (away < at - v.home) {
      struct line_value other = {at - away, line_remainder(l, line, slot)};
      line_set(l, line, slot, v.remainder, at - v.home);
      v = other;
    }
  }
  if (s->n_strays < VALUES_STRAYS)
    s->stray[s->n_strays++] = line_back(l, v);
  else
    s->broken = true;
}

void values_add(struct values *s, uint64_t t) {
  place(s, t);
  s->entries++;
}

/* Takes the entries of line `at` in layout `from` and places them anew. */
static void move_line(struct values *s, const struct line_layout *from, const uint8_t *line,
                      uint64_t at) {
  for (uint32_t i = 0; i < line[LINE_COUNT]; i++) {
    struct line_value v = {at - line_away(from, line, i), line_remainder(from, line, i)};
    uint64_t t = line_back(from, v) & s->kept;
    if (from->width > s->layout.width && values_has(s, t))
      s->entries--;
    else
      place(s, t);
  }
}

static void move_strays(struct values *s) {
  uint32_t n = s->n_strays;
  uint64_t stray[VALUES_STRAYS];
  memcpy(stray, s->stray, n * sizeof *stray);
  s->n_strays = 0;
  for (uint32_t i = 0; i < n; i++)
    if (values_has(s, stray[i] & s->kept))
      s->entries--;
    else
      place(s, stray[i] & s->kept);
}

/* One of `part` more lines, part being at most VALUES_FINE. Entries of a line beyond the first
 * SAVED do not move to lines before it: one at most LINE_REACH - 1 lines from home moves by a
 * part of its home's number, and from (SAVED - LINE_REACH + 1) / VALUES_FINE, which is 17, some
 * is lost where the number of lines is no multiple of VALUES_FINE (at SAVED lines a seventeenth
 * is still 16). False, and nothing changed, if memory ran out. */
bool values_grow(struct values *s, uint32_t part) {
  struct line_layout old = s->layout,
                     new = line_layout(old.homes + old.homes / part, old.width);
  uint64_t total = old.homes + LINE_REACH - 1, saved = total < SAVED ? total : SAVED;
  uint8_t first[SAVED * LINE + 8], line[LINE + 8];
  if (new.homes > UINT64_MAX >> (65 - old.width))
    return false; /* more homes than values */
  if (!map_lines(s, new.homes))
    return false;
  uint8_t *lines = s->lines;
  memcpy(first, lines, saved * LINE + 8);
  memset(lines, 0, saved * LINE);
  use_layout(s, &new);
  for (uint64_t at = total; at-- > saved;) {
    memcpy(line, lines + at * LINE, sizeof line);
    memset(lines + at * LINE, 0, LINE);
    move_line(s, &old, line, at);
  }
  for (uint64_t at = 0; at < saved; at++)
    move_line(s, &old, first + at * LINE, at);
  move_strays(s);
  return true;
}

/* Gives up bits until a line has a sixth more slots, in the same memory. A line that
 * was dealt with takes more entries than it did, so the entries of the first n lines
 * find places among them. False if too few bits would be left to be worth it. */
bool values_narrow(struct values *s, uint32_t least) {
  struct line_layout old = s->layout, new = old;
  uint8_t line[LINE + 8];
  while (new.slots < old.slots + (old.slots + 5) / 6) {
    if (new.width <= least)
      return false;
    new = line_layout(old.homes, new.width - 1);
  }
  use_layout(s, &new);
  for (uint64_t at = 0; at < old.homes + LINE_REACH - 1; at++) {
    memcpy(line, s->lines + at * LINE, sizeof line);
    memset(s->lines + at * LINE, 0, LINE);
    move_line(s, &old, line, at);
  }
  move_strays(s);
  return true;
}

bool values_press(struct values *s) {
  uint64_t most = s->layout.homes * s->layout.slots / 20 * 19;
  if (s->entries >= most || s->n_strays == VALUES_STRAYS)
    return false;
  s->grow_at = s->entries + s->entries / 64 + 1;
  return true;
}

/* From the last line to the first, so that the numbers descend (but for those that were
 * passed on), and the memory of those listed can go on the way. */
uint32_t values_list(const struct values *s, uint64_t *cursor, uint64_t *t, uint32_t most) {
  const struct line_layout *l = &s->layout;
  uint64_t lines = l->homes + LINE_REACH - 1;
  uint32_t n = 0;
  while (*cursor < lines && n + l->slots <= most) {
    uint64_t at = lines - ++*cursor;
    const uint8_t *line = s->lines + at * LINE;
    for (uint32_t i = 0; i < line[LINE_COUNT]; i++) {
      struct line_value v = {at - line_away(l, line, i), line_remainder(l, line, i)};
      t[n++] = line_back(l, v);
    }
  }
  while (n < most && *cursor >= lines && *cursor - lines < s->n_strays)
    t[n++] = s->stray[(*cursor)++ - lines];
  return n;
}

/* Lines go once there are enough. */
void values_release(struct values *s, uint64_t cursor) {
  uint64_t lines = s->layout.homes + LINE_REACH - 1;
  uint64_t left = cursor < lines ? lines - cursor : 0;
  size_t needs = (left * LINE + 8 + 4095) & ~(size_t)4095;
  s->draining = true;
  if (needs + GIVE > s->bytes)
    return;
  s->lines = budget_remap(s->budget, BUDGET_STORE, s->lines, s->bytes, needs, false);
  s->bytes = needs;
}

/* The line and slot where a value is found first, or UINT64_MAX. */
static uint64_t find_slot(const struct values *s, uint64_t t) {
  const struct line_layout *l = &s->layout;
  struct line_value v = line_value(l, t);
  for (uint64_t at = v.home; at < v.home + LINE_REACH; at++) {
    const uint8_t *line = s->lines + at * LINE;
    for (uint32_t i = 0; i < line[LINE_COUNT]; i++)
      if (line_remainder(l, line, i) == v.remainder && line_away(l, line, i) == at - v.home)
        return at * LINE + i;
    if (line[LINE_COUNT] < l->slots)
      break;
  }
  return UINT64_MAX;
}

const char *values_check(const struct values *s) {
  const struct line_layout *l = &s->layout;
  if (s->draining)
    return NULL;
  uint64_t n = s->n_strays;
  for (uint64_t at = 0; at < l->homes + LINE_REACH - 1; at++) {
    const uint8_t *line = s->lines + at * LINE;
    if (line[LINE_COUNT] > l->slots)
      return "values: a line has more entries than slots";
    for (uint32_t i = 0; i < line[LINE_COUNT]; i++) {
      struct line_value v = {at - line_away(l, line, i), line_remainder(l, line, i)};
      if (v.home >= l->homes)
        return "values: an entry has no home";
      uint64_t t = line_back(l, v);
      if ((t & ~s->kept) != 0 || line_value(l, t).home != v.home ||
          line_value(l, t).remainder != v.remainder)
        return "values: a remainder belongs to no value";
      if (find_slot(s, t) != at * LINE + i)
        return "values: an entry is stored twice, or cannot be found";
    }
    n += line[LINE_COUNT];
  }
  if (n != s->entries && !s->broken)
    return "values: the lines and the number of entries differ";
  return NULL;
}

void values_save(const struct values *s, struct sink *sink) {
  sink_section(sink, "values");
  sink_put_number(sink, s->layout.homes);
  sink_put_number(sink, s->layout.width);
  sink_put_number(sink, s->entries);
  sink_put_number(sink, s->grow_at);
  sink_put_number(sink, s->broken);
  sink_put_number(sink, s->n_strays);
  sink_put(sink, s->stray, s->n_strays * sizeof *s->stray);
  sink_put(sink, s->lines, table_bytes(s->layout.homes));
}

bool values_load(struct values *s, struct sink *sink, bool fixed) {
  sink_section(sink, "values");
  uint64_t homes = sink_take_count(sink, UINT64_C(1) << 48);
  uint32_t width = (uint32_t)sink_take_count(sink, VALUES_MOST_WIDTH);
  if (homes < VALUES_LEAST_HOMES || width < 16 || (fixed && width != s->layout.width))
    sink_refuse(sink, "has a table of another form");
  if (!sink_is_fine(sink))
    return false;
  struct line_layout layout = line_layout(homes, width);
  if (!map_lines(s, homes))
    return false;
  use_layout(s, &layout);
  s->entries = sink_take_number(sink);
  s->grow_at = sink_take_number(sink);
  s->broken = sink_take_count(sink, 1) != 0;
  s->n_strays = (uint32_t)sink_take_count(sink, VALUES_STRAYS);
  sink_take(sink, s->stray, s->n_strays * sizeof *s->stray);
  sink_take(sink, s->lines, s->bytes);
  return sink_is_fine(sink);
}
