/* SPDX-License-Identifier: BSD-3-Clause */
#include "topics/model/vocabulary.h"

#include "core/core.h"
#include "corpus/formats/mapped.h"
#include "topics/model/model.h"

#include <string.h>

/* ---- which term is which ---- */

typedef struct named {
    const char *name;
    int32_t term;
} named;

dlp_status dlpi_vocabulary_check(const dlpi_vocabulary *model, const dlp_corpus *corpus,
                                 dlp_error *error)
{
    if (!model->name || !corpus->vocab) return DLP_OK;
    for (dlp_index v = 0; v < model->V && v < corpus->V; v++)
        if (strcmp(model->name[v], corpus->vocab[v]) != 0)
            return dlp_fail(
                error, DLP_EINVAL,
                "the corpus has terms of its own: '%.60s' where the model has "
                "'%.60s'; call dlp_topic_model_align first",
                corpus->vocab[v], model->name[v]);
    return DLP_OK;
}

/* Two terms with the same name keep their order. */
static int compare_named(const void *a, const void *b)
{
    const named *left = a, *right = b;
    const int order = strcmp(left->name, right->name);
    return order ? order : left->term < right->term ? -1 : 1;
}

static named *sort_terms(char *const *vocab, dlp_index V)
{
    named *sorted = malloc((size_t)V * sizeof *sorted);
    for (dlp_index v = 0; sorted && v < V; v++)
        sorted[v] = (named){.name = vocab[v], .term = (int32_t)v};
    if (sorted) qsort(sorted, (size_t)V, sizeof *sorted, compare_named);
    return sorted;
}

/* The first term of that name, or -1. */
static int32_t find_term(const named *sorted, dlp_index V, const char *name)
{
    dlp_index low = 0, high = V;
    while (low < high) {
        const dlp_index middle = low + (high - low) / 2;
        if (strcmp(sorted[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < V && !strcmp(sorted[low].name, name) ? sorted[low].term : -1;
}

static bool same_names(const dlpi_vocabulary *model, const dlp_corpus *corpus)
{
    const dlp_index V = model->V;
    if (!model->name || !corpus->vocab) return true;
    dlp_index v = 0;
    while (v < V && v < corpus->V && !strcmp(model->name[v], corpus->vocab[v])) v++;
    return v == V && v == corpus->V;
}

/* (corpus V) the model's number of each term of the corpus, or -1; to be freed. NULL
   without memory. */
static int32_t *match_terms(const dlpi_vocabulary *model, const dlp_corpus *corpus)
{
    const dlp_index V = model->V;
    int32_t *map = calloc((size_t)corpus->V + 1, sizeof *map);
    if (!map) return NULL;
    for (dlp_index v = 0; v < corpus->V; v++) map[v] = v < V ? (int32_t)v : -1;
    if (same_names(model, corpus)) return map;
    named *sorted = sort_terms(model->name, V);
    for (dlp_index v = 0; sorted && v < corpus->V; v++)
        map[v] = find_term(sorted, V, corpus->vocab[v]);
    if (!sorted) {
        free(map);
        return NULL;
    }
    free(sorted);
    return map;
}

/* ---- a corpus in the model's terms ---- */

typedef struct pair {
    int32_t term, count;
} pair;

static int compare_pairs(const void *a, const void *b)
{
    const pair *left = a, *right = b;
    return left->term < right->term ? -1 : left->term > right->term;
}

/* The known terms of document d into pairs, sorted. */
static dlp_index translate(const dlp_corpus *c, dlp_index d, const int32_t *map,
                           pair *pairs, dlp_index *unseen)
{
    dlp_index n = 0;
    bool sorted = true;
    for (dlp_index i = c->row[d]; i < c->row[d + 1]; i++) {
        const int32_t term = map[c->term[i]];
        if (term < 0) {
            *unseen += c->count[i];
            continue;
        }
        sorted &= n == 0 || pairs[n - 1].term < term;
        pairs[n++] = (pair){term, c->count[i]};
    }
    if (!sorted) qsort(pairs, (size_t)n, sizeof *pairs, compare_pairs);
    return n;
}

/* Appends the pairs to the corpus' own arrays, which have room for them. Two terms with
   the same name have become one, whose count stays below 2^31. */
static dlp_index put_pairs(dlp_corpus *c, dlp_index end, const pair *pairs, dlp_index n)
{
    const dlp_index begin = end;
    for (dlp_index i = 0; i < n; i++) {
        if (end > begin && c->term[end - 1] == pairs[i].term) {
            const int64_t sum = (int64_t)c->count[end - 1] + pairs[i].count;
            c->count[end - 1] = (int32_t)(sum < INT32_MAX ? sum : INT32_MAX);
        } else {
            c->term[end] = pairs[i].term;
            c->count[end++] = pairs[i].count;
        }
    }
    return end;
}

static dlp_index longest_document(const dlp_corpus *c)
{
    dlp_index longest = 0;
    for (dlp_index d = 0; d < c->D; d++) {
        const dlp_index n = c->row[d + 1] - c->row[d];
        longest = n > longest ? n : longest;
    }
    return longest;
}

static void rewrite(dlp_corpus *c, const int32_t *map, pair *pairs, dlp_index *unseen)
{
    dlp_index end = 0;
    for (dlp_index d = 0; d < c->D; d++) {
        const dlp_index n = translate(c, d, map, pairs, unseen);
        c->row[d] = end; /* translate has already read it */
        end = put_pairs(c, end, pairs, n);
    }
    c->row[c->D] = end;
    c->nnz = end;
    c->words = 0;
    for (dlp_index i = 0; i < end; i++) c->words += c->count[i];
}

/* Renumbers the terms; those below 0 are left out and counted. */
static dlp_status renumber(dlp_corpus *corpus, const int32_t *map, dlp_index *unseen,
                           dlp_error *error)
{
    pair *pairs = malloc((size_t)longest_document(corpus) * sizeof *pairs + 1);
    if (!map || !pairs) {
        free(pairs);
        return dlpi_no_memory(error, "comparing the vocabularies");
    }
    rewrite(corpus, map, pairs, unseen);
    free(pairs);
    return DLP_OK;
}

dlp_status dlpi_vocabulary_align(const dlpi_vocabulary *model, dlp_corpus *corpus,
                                 dlp_index *unseen, dlp_error *error)
{
    *unseen = 0;
    if (corpus->V > model->V || !same_names(model, corpus)) {
        DLP_TRY(dlpi_corpus_own(corpus, error));
        int32_t *map = match_terms(model, corpus);
        const dlp_status status = renumber(corpus, map, unseen, error);
        free(map);
        DLP_TRY(status);
    }
    free(corpus->vocab);
    corpus->vocab = NULL;
    corpus->V = model->V;
    return DLP_OK;
}

/* ---- a corpus whose terms become the model's ---- */

static dlp_index *count_terms(const dlp_corpus *c)
{
    dlp_index *occurs = dlpi_calloc(c->V, sizeof *occurs);
    for (dlp_index i = 0; occurs && i < c->nnz; i++) occurs[c->term[i]] += c->count[i];
    return occurs;
}

/* The names of the model, then those of the corpus' terms that have numbers above its
   own. */
static char **join_names(const dlpi_vocabulary *model, const dlp_corpus *corpus,
                         const int32_t *map, dlp_index V)
{
    char **name = dlpi_calloc(V, sizeof *name);
    if (!name) return NULL;
    for (dlp_index v = 0; v < model->V; v++) name[v] = model->name[v];
    for (dlp_index v = 0; v < corpus->V; v++)
        if (map[v] >= model->V) name[map[v]] = corpus->vocab[v];
    char **copy = dlpi_copy_names(name, V);
    free(name);
    return copy;
}

/* Numbers the corpus' terms that the model does not have; returns how many terms there
   are then. With names, only terms that some document has; without names, a number is a
   term. */
static dlp_index number_new(const dlpi_vocabulary *model, const dlp_corpus *corpus,
                            const dlp_index *occurs, int32_t *map)
{
    const bool names = model->name && corpus->vocab;
    dlp_index V = model->V;
    for (dlp_index v = 0; v < corpus->V; v++)
        if (map[v] < 0 && (!names || occurs[v] > 0)) map[v] = (int32_t)V++;
    return V;
}

static dlp_status extend(const dlpi_vocabulary *model, dlp_corpus *corpus, int32_t *map,
                         const dlp_index *occurs, dlpi_new_terms *taken, dlp_error *error)
{
    if (!map || !occurs) return dlpi_no_memory(error, "comparing the vocabularies");
    const dlp_index V = number_new(model, corpus, occurs, map);
    dlp_index unseen = 0;
    for (dlp_index v = 0; v < corpus->V; v++)
        if (map[v] >= model->V) taken->words += occurs[v];
    taken->terms = V - model->V;
    char **name = model->name ? join_names(model, corpus, map, V) : NULL;
    if (model->name && !name) return dlpi_no_memory(error, "the vocabulary");
    const dlp_status status = renumber(corpus, map, &unseen, error);
    free(corpus->vocab);
    corpus->vocab = name;
    corpus->V = V;
    return status;
}

dlp_status dlpi_vocabulary_extend(const dlpi_vocabulary *model, dlp_corpus *corpus,
                                  dlpi_new_terms *taken, dlp_error *error)
{
    *taken = (dlpi_new_terms){0};
    if (model->name && !corpus->vocab && corpus->V > model->V)
        return dlpi_advise(
            error, DLP_REMEDY_VOCABULARY,
            dlp_fail(
                error, DLP_EINPUT,
                "has %td terms without names, and the model %td with names; name the "
                "terms",
                corpus->V, model->V));
    if (corpus->V > INT32_MAX - model->V)
        return dlp_fail(error, DLP_EINPUT, "these are too many terms for one model");
    DLP_TRY(dlpi_corpus_own(corpus, error));
    int32_t *map = match_terms(model, corpus);
    dlp_index *occurs = count_terms(corpus);
    const dlp_status status = extend(model, corpus, map, occurs, taken, error);
    free(map);
    free(occurs);
    return status;
}

/* ---- topics over the corpus' terms ---- */

static dlp_status take_topic(const dlp_topics *from, const int32_t *map, dlp_index k,
                             dlp_topics *topics, dlp_error *error)
{
    double *beta = topics->beta + k * topics->V, sum = 0;
    for (dlp_index v = 0; v < topics->V; v++) {
        beta[v] = map[v] >= 0 ? from->beta[k * from->V + map[v]] : 0;
        sum += beta[v];
    }
    if (!(sum > 0))
        return dlp_fail(
            error, DLP_EINPUT,
            "topic %td of the model to start from has no term of this corpus; "
            "start from another",
            k + 1);
    for (dlp_index v = 0; v < topics->V; v++) beta[v] /= sum;
    return DLP_OK;
}

dlp_status dlpi_vocabulary_project(const dlpi_vocabulary *model, const dlp_topics *from,
                                   const dlp_corpus *corpus, dlp_topics *topics,
                                   dlp_error *error)
{
    const size_t K = (size_t)from->K, p = (size_t)from->p;
    DLP_TRY(dlp_topics_alloc(from->K, corpus->V, from->p, topics, error));
    memcpy(topics->Gamma, from->Gamma, p * K * sizeof *from->Gamma);
    memcpy(topics->Sigma0, from->Sigma0, K * K * sizeof *from->Sigma0);
    int32_t *map = match_terms(model, corpus);
    dlp_status status =
        map ? DLP_OK : dlpi_no_memory(error, "comparing the vocabularies");
    for (dlp_index k = 0; k < from->K && status == DLP_OK; k++)
        status = take_topic(from, map, k, topics, error);
    free(map);
    if (status != DLP_OK) dlp_topics_free(topics);
    return status;
}
