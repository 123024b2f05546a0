/* SPDX-License-Identifier: BSD-3-Clause */
/* What the words of topics can be ranked by, where readers choose the weight. */
#include <delaplace/topic_words.h>

#include "core/core.h"
#include "math/symmetric/structure.h"
#include "topics/describe/topic_words.h"

#include <math.h>

enum { STEPS = 10 }; /* between the weights 0 and 1 */

struct scoring {
    dlpi_ranking ranking;
    dlp_word_scores *scores;
    dlp_index room;      /* words that there is room for */
    dlp_index *best;     /* (most) the best words by one score */
    double *score;       /* (most) */
    unsigned char *kept; /* (V) whether the topic has the term already */
    dlp_index *place;    /* (V) where a term is among those seen */
};

/* ---- room ---- */

static bool grow(struct scoring *s, dlp_index more)
{
    dlp_word_scores *w = s->scores;
    const dlp_index used = w->row[w->K];
    if (used + more <= s->room) return true;
    const dlp_index room = 2 * (used + more);
    dlp_index *term = realloc(w->term, (size_t)room * sizeof *term);
    if (term) w->term = term;
    double *common = realloc(w->common, (size_t)room * sizeof *common);
    if (common) w->common = common;
    double *own = realloc(w->own, (size_t)room * sizeof *own);
    if (own) w->own = own;
    if (term && common && own) s->room = room;
    return term && common && own;
}

/* ---- one topic ---- */

/* Takes the n best by ranking.value, except those taken already; row[K] counts. */
static dlp_status take(struct scoring *s, dlp_index k, dlp_index n, dlp_error *error)
{
    dlp_word_scores *w = s->scores;
    n = dlpi_ranking_best(&s->ranking, k, n, s->best, s->score);
    if (!grow(s, n)) return dlpi_no_memory(error, "the words of topics");
    for (dlp_index i = 0; i < n; i++) {
        if (s->kept[s->best[i]]) continue;
        s->kept[s->best[i]] = 1;
        w->term[w->row[w->K]++] = s->best[i];
    }
    return DLP_OK;
}

static double beta_of(const struct scoring *s, dlp_index k, dlp_index v)
{
    const dlp_topics *t = s->ranking.topics;
    return t->beta[k * t->V + v];
}

static void score_probability(struct scoring *s, dlp_index k)
{
    dlpi_ranking *r = &s->ranking;
    for (dlp_index i = 0; i < r->n; i++) r->value[i] = beta_of(s, k, r->term[i]);
}

static void score_frex(struct scoring *s, double weight)
{
    dlpi_ranking *r = &s->ranking;
    for (dlp_index i = 0; i < r->n; i++)
        r->value[i] = 1 / (weight / r->own[i] + (1 - weight) / r->common[i]);
}

/* A word that the topic does not have comes last. */
static void score_relevance(struct scoring *s, dlp_index k, double weight)
{
    dlpi_ranking *r = &s->ranking;
    for (dlp_index i = 0; i < r->n; i++) {
        const double b = beta_of(s, k, r->term[i]);
        const double p = s->scores->marginal[r->term[i]];
        r->value[i] = b > 0 && p > 0 ? log(b) - (1 - weight) * log(p) : -HUGE_VAL;
    }
}

/* Sorts the topic's words, which are few, by probability. */
static void sort_topic(struct scoring *s, dlp_index k, dlp_index first)
{
    dlp_word_scores *w = s->scores;
    for (dlp_index i = first + 1; i < w->row[w->K]; i++) {
        const dlp_index v = w->term[i];
        dlp_index at = i;
        for (; at > first; at--) {
            const double before = beta_of(s, k, w->term[at - 1]), here = beta_of(s, k, v);
            if (before > here || (before == here && w->term[at - 1] < v)) break;
            w->term[at] = w->term[at - 1];
        }
        w->term[at] = v;
    }
}

static dlp_status choose(struct scoring *s, dlp_index k, dlp_index first, dlp_index best,
                         dlp_error *error)
{
    dlp_word_scores *w = s->scores;
    const dlp_index begin = w->row[w->K];
    w->row[k] = begin;
    dlpi_ranking_shares(&s->ranking, k);
    score_probability(s, k);
    DLP_TRY(take(s, k, first, error));
    for (int step = 0; step <= STEPS; step++) {
        score_frex(s, (double)step / STEPS);
        DLP_TRY(take(s, k, best, error));
        score_relevance(s, k, (double)step / STEPS);
        DLP_TRY(take(s, k, best, error));
    }
    sort_topic(s, k, begin);
    for (dlp_index i = begin; i < w->row[w->K]; i++) {
        const dlp_index at = s->place[w->term[i]];
        w->common[i] = s->ranking.common[at];
        w->own[i] = s->ranking.own[at];
        s->kept[w->term[i]] = 0;
    }
    return DLP_OK;
}

/* ---- the whole ---- */

static dlp_status allocate(struct scoring *s, dlp_index most, dlp_error *error)
{
    const dlp_topics *t = s->ranking.topics;
    dlp_word_scores *w = s->scores;
    w->K = t->K;
    w->V = t->V;
    w->row = dlpi_calloc(t->K + 1, sizeof *w->row);
    w->marginal = dlpi_calloc(t->V, sizeof *w->marginal);
    s->best = dlpi_calloc(most, sizeof *s->best);
    s->score = dlpi_calloc(most, sizeof *s->score);
    s->kept = dlpi_calloc(t->V, sizeof *s->kept);
    s->place = dlpi_calloc(t->V, sizeof *s->place);
    if (!w->row || !w->marginal || !s->best || !s->score || !s->kept || !s->place)
        return dlpi_no_memory(error, "the words of topics");
    return dlpi_ranking_start(&s->ranking, error);
}

static dlp_status run(struct scoring *s, const double *share, dlp_index first,
                      dlp_index best, dlp_error *error)
{
    const dlp_topics *t = s->ranking.topics;
    DLP_TRY(allocate(s, first > best ? first : best, error));
    for (dlp_index k = 0; k < t->K; k++)
        for (dlp_index v = 0; v < t->V; v++)
            s->scores->marginal[v] += share[k] * t->beta[k * t->V + v];
    for (dlp_index i = 0; i < s->ranking.n; i++) s->place[s->ranking.term[i]] = i;
    for (dlp_index k = 0; k < t->K; k++) DLP_TRY(choose(s, k, first, best, error));
    return DLP_OK;
}

dlp_status dlp_topics_word_scores(const dlp_topics *topics, const double *share,
                                  dlp_index first, dlp_index best,
                                  dlp_word_scores *scores, dlp_error *error)
{
    *scores = (dlp_word_scores){.K = 0};
    if (!share || first < 1 || best < 1)
        return dlp_fail(error, DLP_EINVAL,
                        "scores of words need the topics' shares, and words to score");
    DLP_TRY(dlp_topics_check(topics, error));
    struct scoring s = {.ranking = {.topics = topics}, .scores = scores};
    const dlp_status status = run(&s, share, first, best, error);
    dlpi_ranking_release(&s.ranking);
    free(s.best);
    free(s.score);
    free(s.kept);
    free(s.place);
    if (status != DLP_OK) dlp_word_scores_free(scores);
    return status;
}

void dlp_word_scores_free(dlp_word_scores *scores)
{
    free(scores->row);
    free(scores->term);
    free(scores->common);
    free(scores->own);
    free(scores->marginal);
    *scores = (dlp_word_scores){.K = 0};
}
