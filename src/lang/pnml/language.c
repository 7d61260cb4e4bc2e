/* language.c - PNML as a language: from the text to a net that runs. */
#include "lang/lang.h"

#include "lang/pnml/ask.h"
#include "lang/pnml/claims.h"
#include "lang/pnml/unfold.h"
#include "net/model.h"

#include <ctype.h>
#include <xxhash.h>

/* Nobody else's models begin with "<". */
static bool pnml_recognises(const struct source *source) {
  uint32_t at = 0;
  while (at < source->length && isspace((unsigned char)source->text[at]))
    at++;
  return at < source->length && source->text[at] == '<';
}

/* The hash of the text and of what is asked of it that changes the ts. */
static uint64_t hash_of(const struct source *source, const struct language_question *question,
                        uint32_t n, uint64_t seed) {
  uint64_t hash = XXH3_64bits_withSeed(source->text, source->length, seed);
  for (uint32_t i = 0; i < n; i++)
    if (!question[i].is_measure)
      hash = XXH3_64bits_withSeed(question[i].source->text, question[i].source->length, hash);
  return hash;
}

static void read_questions(struct ask *ask, struct net_options *options,
                           const struct language_question *question, uint32_t n) {
  const struct net *net = ask->net;
  struct net_property *property = ARENA_ARRAY(net->arena, n, struct net_property);
  struct net_measure *measure = ARENA_ARRAY(net->arena, n, struct net_measure);
  for (uint32_t i = 0; i < n && diag_errors(ask->diag) == 0; i++) {
    const struct source *text = question[i].source;
    const struct net_term *term = ask_read(ask, text);
    if (question[i].is_measure)
      measure[options->n_measures++] = (struct net_measure){text->text, term};
    else
      property[options->n_properties++] = (struct net_property){text->text, term};
  }
  options->property = property;
  options->measure = measure;
}

static struct ts *pnml_open(struct arena *arena, struct diag *diag, const struct source *source,
                            const struct language_options *how,
                            const struct language_question *question, uint32_t n) {
  struct symmetric_net *written = symmetric_read(arena, diag, source);
  struct net *net = written == NULL ? NULL : unfold(written, diag);
  if (net == NULL)
    return NULL;
  struct net_options options = {.counter_bits = how == NULL ? 0 : how->token_bits,
                                .backward = how != NULL && how->backward};
  net_trim(net);
  net->hash = hash_of(source, question, n, options.counter_bits);
  struct ask ask;
  ask_open(&ask, net, diag);
  read_questions(&ask, &options, question, n);
  if (diag_errors(diag) > 0 || (how != NULL && !claims_read(&ask, how, net, &options)))
    return NULL;
  const char *why = NULL;
  struct net_model *model = net_open(net, &options, &why);
  if (model == NULL)
    diag_error(diag, (struct span){source, 0, 0}, "%s", why);
  return model == NULL ? NULL : &model->ts;
}

const struct language language_pnml = {
    .name = "pnml",
    .extensions = ".pnml",
    .summary = "Petri nets: place/transition nets and symmetric nets",
    .traits = LANGUAGE_RUNS,
    .heeds = LANGUAGE_TOKENS,
    .recognises = pnml_recognises,
    .open = pnml_open,
};
