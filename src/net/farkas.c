/* farkas.c - the same, by the algorithm of Farkas.
 *
 * A sum that gives each place a weight of at least 0 never grows if no transition adds more to
 * it than it takes. So a place of weight w never holds more than the initial value of the sum
 * divided by w. Such weights are a cone, cut by one half-space for each transition, and the
 * tightest bound of each place is given by one of the cone's extreme rays. These are found
 * by the method of Farkas (Colom and Silva, "Convex geometry and semiflows in P/T nets", 1991,
 * where it is improved for invariants): begin with one ray for each place, and take the
 * transitions in turn; rays that grow by it are replaced by their sums with those that shrink
 * by it, in the proportion in which nothing is left of it. Only neighbours are summed (Fukuda
 * and Prodon, "Double description method revisited", 1996): two rays such that no third one has
 * its support within theirs. All others are sums of these.
 *
 * There can be exponentially many rays. When there is no more room, or too much was done, rays
 * that still grow by some transition are dropped; what is left is not all, but right.
 */
#include "net/farkas.h"

#include "base/bits.h"

#include <string.h>

enum {
  FARKAS_PLACES = 256,
  FARKAS_TRANSITIONS = 1024,
  FARKAS_RAYS = 1024,      /* at a time */
  FARKAS_WORK = 40000000u, /* words and numbers looked at: about a twentieth of a second */
  FARKAS_ARENA = 4u << 20  /* bytes of all rays */
};

/* Of each place its weight, then of each transition what it adds to the sum; no two of them
 * have a common divisor. Bits of the support: places of a weight, transitions done by which the
 * sum shrinks. */
struct ray {
  uint64_t *support;
  int64_t *value;
};

struct farkas {
  const struct net *net;
  struct arena *arena;
  uint32_t width, words; /* values of a ray, words of a support */
  struct ray *ray;       /* [FARKAS_RAYS] */
  uint32_t n, made;      /* in use; rays from n on up to `made` have memory */
  uint32_t most;         /* rays that there is memory for */
  uint64_t work;
};

bool farkas_is_small(const struct net *net) {
  return net->n_places <= FARKAS_PLACES && net->n_transitions <= FARKAS_TRANSITIONS;
}

/* A ray of which nothing is known, the last; NULL: there is no room. */
static struct ray *add_ray(struct farkas *f) {
  if (f->n == f->most)
    return NULL;
  struct ray *ray = &f->ray[f->n++];
  if (f->n > f->made) {
    ray->value = ARENA_ARRAY(f->arena, f->width, int64_t);
    ray->support = ARENA_ARRAY(f->arena, f->words, uint64_t);
    f->made = f->n;
  }
  memset(ray->support, 0, f->words * sizeof *ray->support);
  return ray;
}

/* The last ray takes its place. */
static void drop_ray(struct farkas *f, uint32_t i) {
  struct ray ray = f->ray[i];
  f->ray[i] = f->ray[--f->n];
  f->ray[f->n] = ray;
}

static void begin(struct farkas *f, const struct changes *change) {
  for (uint32_t i = 0; i < f->net->n_places; i++) {
    struct ray *ray = add_ray(f);
    if (ray == NULL)
      return;
    memset(ray->value, 0, f->width * sizeof *ray->value);
    ray->value[i] = 1;
    bits_set(ray->support, i);
    for (uint32_t k = change->place_start[i]; k < change->place_start[i + 1]; k++)
      ray->value[f->net->n_places + change->by_place[k].transition] = change->by_place[k].by;
  }
}

/* ---- sums -------------------------------------------------------------------------------- */

static int64_t divisor(int64_t a, int64_t b) {
  while (b != 0) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

static void reduce(struct farkas *f, int64_t *value) {
  int64_t common = 0;
  for (uint32_t i = 0; i < f->width && common != 1; i++)
    common = divisor(common, value[i]);
  for (uint32_t i = 0; i < f->width && common > 1; i++)
    value[i] /= common;
}

/* The sum of two rays to which value number `at` adds nothing; false: it is too large. */
static bool sum_up(struct farkas *f, int64_t *value, const struct ray *grows,
                   const struct ray *shrinks, uint32_t at) {
  int64_t common = divisor(grows->value[at], shrinks->value[at]);
  int64_t a = -(shrinks->value[at] / common), b = grows->value[at] / common, x, y;
  bool large = false;
  for (uint32_t i = 0; i < f->width; i++) {
    large |= __builtin_mul_overflow(grows->value[i], a, &x);
    large |= __builtin_mul_overflow(shrinks->value[i], b, &y);
    large |= __builtin_add_overflow(x, y, &value[i]);
    large |= value[i] == INT64_MIN; /* it has no negative */
  }
  f->work += f->width;
  if (!large)
    reduce(f, value);
  return !large;
}

/* Whether no third one of the first n rays has its support within that of two. */
static bool are_neighbours(struct farkas *f, uint32_t a, uint32_t b, uint32_t n) {
  const uint64_t *of_a = f->ray[a].support, *of_b = f->ray[b].support;
  for (uint32_t i = 0; i < n; i++) {
    const uint64_t *support = f->ray[i].support;
    uint32_t k = 0;
    while (k < f->words && (support[k] & ~(of_a[k] | of_b[k])) == 0)
      k++;
    f->work += k + 1;
    if (k == f->words && i != a && i != b)
      return false;
  }
  return true;
}

/* ---- transitions --------------------------------------------------------------------------
 */

/* The transition by which the sums that have to be made are fewest; TS_NONE: no ray grows. */
static uint32_t next_transition(struct farkas *f) {
  uint32_t best = TS_NONE;
  uint64_t fewest = UINT64_MAX;
  for (uint32_t t = f->net->n_places; t < f->width; t++) {
    uint64_t grow = 0, shrink = 0;
    for (uint32_t i = 0; i < f->n; i++) {
      grow += f->ray[i].value[t] > 0;
      shrink += f->ray[i].value[t] < 0;
    }
    if (grow > 0 && grow * shrink < fewest) {
      fewest = grow * shrink;
      best = t;
    }
  }
  f->work += (uint64_t)f->n * f->net->n_transitions;
  return best;
}

/* Adds the sums of neighbours by value number t of the first n rays. False: there was no more
 * room, or too much was done. */
static bool add_sums(struct farkas *f, uint32_t t, uint32_t n) {
  for (uint32_t a = 0; a < n; a++) {
    for (uint32_t b = 0; b < n && f->ray[a].value[t] > 0; b++) {
      if (f->ray[b].value[t] >= 0)
        continue;
      if (f->work > FARKAS_WORK)
        return false;
      if (!are_neighbours(f, a, b, n))
        continue;
      struct ray *sum = add_ray(f);
      if (sum == NULL)
        return false;
      for (uint32_t k = 0; k < f->words; k++)
        sum->support[k] = f->ray[a].support[k] | f->ray[b].support[k];
      if (!sum_up(f, sum->value, &f->ray[a], &f->ray[b], t))
        f->n--;
    }
  }
  return true;
}

/* Drops the rays that grow by value number t, and notes those that shrink. */
static void cut(struct farkas *f, uint32_t t) {
  for (uint32_t i = f->n; i-- > 0;) {
    if (f->ray[i].value[t] > 0)
      drop_ray(f, i);
    else if (f->ray[i].value[t] < 0)
      bits_set(f->ray[i].support, t);
  }
}

static void find_rays(struct farkas *f) {
  bool more = true;
  for (uint32_t t; more && (t = next_transition(f)) != TS_NONE;) {
    more = add_sums(f, t, f->n);
    cut(f, t);
  }
  for (uint32_t t = f->net->n_places; t < f->width && !more; t++)
    cut(f, t);
}

/* ---- bounds -------------------------------------------------------------------------------
 */

static void use_ray(const struct farkas *f, const struct ray *ray, uint32_t *bound) {
  uint64_t sum = 0, product;
  for (uint32_t i = 0; i < f->net->n_places; i++) {
    bool large = __builtin_mul_overflow((uint64_t)ray->value[i],
                                        (uint64_t)f->net->place[i].initial, &product);
    if (large || __builtin_add_overflow(sum, product, &sum))
      return;
  }
  for (uint32_t i = 0; i < f->net->n_places; i++)
    if (ray->value[i] > 0 && sum / (uint64_t)ray->value[i] < bound[i])
      bound[i] = (uint32_t)(sum / (uint64_t)ray->value[i]);
}

static void find(struct farkas *f, const struct net *net, const struct changes *change) {
  uint32_t width = net->n_places + net->n_transitions;
  struct arena *arena = arena_inside(net->arena);
  *f = (struct farkas){.net = net, .arena = arena, .width = width, .words = (width + 63) / 64};
  uint32_t room = FARKAS_ARENA / (uint32_t)(8 * (f->width + f->words) + 1);
  f->most = room < FARKAS_RAYS ? room : FARKAS_RAYS;
  f->ray = ARENA_ARRAY(arena, f->most, struct ray);
  begin(f, change);
  find_rays(f);
}

void farkas_bounds(const struct net *net, const struct changes *change, uint32_t *bound) {
  struct farkas f;
  find(&f, net, change);
  for (uint32_t i = 0; i < f.n; i++)
    use_ray(&f, &f.ray[i], bound);
  arena_close(f.arena);
}

static bool shrinks(const struct farkas *f, const struct ray *ray) {
  uint32_t t = f->net->n_places;
  while (t < f->width && ray->value[t] == 0)
    t++;
  return t < f->width;
}

uint32_t farkas_sums(const struct net *net, struct farkas_sum *sum, uint32_t most) {
  struct farkas f;
  struct changes change;
  uint32_t n = 0;
  change_make(&change, net);
  find(&f, net, &change);
  for (uint32_t i = 0; i < f.n && n < most; i++) {
    if (!shrinks(&f, &f.ray[i]))
      continue;
    int64_t *value = ARENA_ARRAY(net->arena, f.width, int64_t);
    memcpy(value, f.ray[i].value, f.width * sizeof *value);
    sum[n++] = (struct farkas_sum){value, value + net->n_places};
  }
  arena_close(f.arena);
  return n;
}
