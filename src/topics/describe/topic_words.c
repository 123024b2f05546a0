/* SPDX-License-Identifier: BSD-3-Clause */
/* The words of topics, by probability and by FREX. */
#include <delaplace/topic_words.h>

#include "core/core.h"
#include "math/symmetric/structure.h"
#include "topics/describe/topic_words.h"

#include <math.h>
#include <string.h>

void dlpi_ranking_release(dlpi_ranking *r)
{
    free(r->term);
    free(r->home);
    free(r->total);
    free(r->rest);
    free(r->value);
    free(r->common);
    free(r->own);
    free(r->sorting);
}

static dlp_status allocate(dlpi_ranking *r, dlp_error *error)
{
    const dlp_index V = r->topics->V;
    r->term = dlpi_calloc(V, sizeof *r->term);
    r->home = dlpi_calloc(V, sizeof *r->home);
    r->total = dlpi_calloc(V, sizeof *r->total);
    r->rest = dlpi_calloc(V, sizeof *r->rest);
    r->value = dlpi_calloc(V, sizeof *r->value);
    r->common = dlpi_calloc(V, sizeof *r->common);
    r->own = dlpi_calloc(V, sizeof *r->own);
    r->sorting = dlpi_calloc(dlpi_size(2, V, 0), sizeof *r->sorting);
    if (r->term && r->home && r->total && r->rest && r->value && r->common && r->own &&
        r->sorting)
        return DLP_OK;
    return dlpi_no_memory(error, "the words of topics");
}

/* Which terms are seen, where they are at home, and how probable they are elsewhere. Sums
   go over topics in their order, along the rows of beta. */
static void find_homes(dlpi_ranking *r)
{
    const dlp_topics *t = r->topics;
    double *most = r->value;
    for (dlp_index k = 0; k < t->K; k++)
        for (dlp_index v = 0; v < t->V; v++) {
            const double b = t->beta[k * t->V + v];
            r->total[v] += b;
            if (b <= most[v]) continue;
            most[v] = b;
            r->home[v] = k;
        }
    for (dlp_index k = 0; k < t->K; k++)
        for (dlp_index v = 0; v < t->V; v++)
            if (r->home[v] != k) r->rest[v] += t->beta[k * t->V + v];
    for (dlp_index v = 0; v < t->V; v++) {
        if (!(r->total[v] > 0)) continue;
        r->term[r->n] = v;
        r->home[r->n] = r->home[v];
        r->total[r->n] = r->total[v];
        r->rest[r->n++] = r->rest[v];
    }
}

dlp_status dlpi_ranking_start(dlpi_ranking *r, dlp_error *error)
{
    DLP_TRY(allocate(r, error));
    find_homes(r);
    return DLP_OK;
}

static double probability(const dlpi_ranking *r, dlp_index k, dlp_index i)
{
    return r->topics->beta[k * r->topics->V + r->term[i]];
}

/*
 * Exclusivity e = b/(b + rest) has the order of the odds b/rest, which still distinguish
 * words where e rounds to 1. At home, `rest` is a sum of its own; elsewhere b is at most
 * half of the total, so that the difference loses no digits.
 */
static double odds(const dlpi_ranking *r, dlp_index k, dlp_index i)
{
    const double b = probability(r, k, i);
    return b / (r->home[i] == k ? r->rest[i] : r->total[i] - b);
}

/* The scores of topic k's words, into value. */
static void score_by_probability(dlpi_ranking *r, dlp_index k)
{
    for (dlp_index i = 0; i < r->n; i++) r->value[i] = probability(r, k, i);
}

void dlpi_ranking_shares(dlpi_ranking *r, dlp_index k)
{
    score_by_probability(r, k);
    dlpi_shares_below(r->n, r->value, r->sorting, r->common);
    for (dlp_index i = 0; i < r->n; i++) r->value[i] = odds(r, k, i);
    dlpi_shares_below(r->n, r->value, r->sorting, r->own);
}

static void score_by_frex(dlpi_ranking *r, dlp_index k)
{
    dlpi_ranking_shares(r, k);
    for (dlp_index i = 0; i < r->n; i++)
        r->value[i] = 2 / (1 / r->common[i] + 1 / r->own[i]);
}

/* Whether word i of topic k comes before term v, which comes earlier in the
   vocabulary. */
static bool is_better(const dlpi_ranking *r, dlp_index k, dlp_index i, dlp_index v,
                      double score)
{
    if (r->value[i] != score) return r->value[i] > score;
    return probability(r, k, i) > r->topics->beta[k * r->topics->V + v];
}

/* Each word goes before those it is better than. */
dlp_index dlpi_ranking_best(const dlpi_ranking *r, dlp_index k, dlp_index n,
                            dlp_index *term, double *score)
{
    dlp_index taken = 0;
    for (dlp_index i = 0; i < r->n; i++) {
        if (taken == n && !is_better(r, k, i, term[n - 1], score[n - 1])) continue;
        dlp_index at = taken < n ? taken++ : n - 1;
        for (; at > 0 && is_better(r, k, i, term[at - 1], score[at - 1]); at--) {
            term[at] = term[at - 1];
            score[at] = score[at - 1];
        }
        term[at] = r->term[i];
        score[at] = r->value[i];
    }
    return taken;
}

static dlp_status rank(dlpi_ranking *r, dlp_word_order order, dlp_index n,
                       dlp_topic_words *words, dlp_error *error)
{
    DLP_TRY(dlpi_ranking_start(r, error));
    words->K = r->topics->K;
    words->n = n < r->n ? n : r->n;
    words->term = dlpi_calloc(dlpi_size(words->K, words->n, 0), sizeof *words->term);
    words->score = dlpi_calloc(dlpi_size(words->K, words->n, 0), sizeof *words->score);
    if (!words->term || !words->score)
        return dlpi_no_memory(error, "the words of topics");
    for (dlp_index k = 0; k < words->K && words->n > 0; k++) {
        if (order == DLP_BY_FREX)
            score_by_frex(r, k);
        else
            score_by_probability(r, k);
        (void)dlpi_ranking_best(r, k, words->n, words->term + k * words->n,
                                words->score + k * words->n);
    }
    return DLP_OK;
}

dlp_status dlp_topics_words(const dlp_topics *topics, dlp_word_order order, dlp_index n,
                            dlp_topic_words *words, dlp_error *error)
{
    *words = (dlp_topic_words){0};
    if (n < 0)
        return dlp_fail(error, DLP_EINVAL, "%td words of a topic cannot be ranked", n);
    DLP_TRY(dlp_topics_check(topics, error));
    dlpi_ranking r = {.topics = topics};
    const dlp_status status = rank(&r, order, n, words, error);
    dlpi_ranking_release(&r);
    if (status != DLP_OK) dlp_topic_words_free(words);
    return status;
}

void dlp_topic_words_free(dlp_topic_words *words)
{
    free(words->term);
    free(words->score);
    *words = (dlp_topic_words){0};
}
