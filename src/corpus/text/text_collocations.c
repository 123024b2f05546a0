/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Phrases found in the text. Let the words a and b occur n_a and n_b times in a text of N
 * words, and a directly before b n_ab times. The pair is a phrase if
 *
 *   G2 = 2 sum O log(O / E) over the table of (a or not) by (b or not)   (Dunning 1993)
 *
 * is larger than chance would make the largest of all pairs, at a level of 0.1 % for all
 * pairs together, and if the normalised pointwise mutual information log(n_ab N / (n_a
 * n_b)) / -log(n_ab / N), which unlike G2 does not grow with the text, is at least what
 * the user asks for. Pairs are joined and the search is repeated once, so that phrases
 * may have up to four words.
 */
#include "corpus/text/text_builder.h"

#include <math.h>
#include <string.h>

/* One occurrence of a pair, to be sorted and counted. */
struct place {
    int32_t a, b;
    dlp_index document;
};

/* A pair that is a phrase, and what it is called. */
struct pair {
    int32_t a, b;
    double g2;
    int32_t joined;
};

struct finder {
    const dlp_text_settings *settings;
    struct dlpi_string_set *words;
    struct dlpi_sequence *sequence;
    unsigned char *content; /* (words) neither a stop word nor too short */
    dlp_index *total;       /* (words) how often each occurs */
    dlp_index N;            /* words in all */
    struct place *place;    /* (places) */
    dlp_index places;
    struct pair *pair; /* (pairs) in the order of a, b */
    dlp_index pairs;
};

/* ---- counting ---- */

static void count_words(struct finder *f)
{
    const struct dlpi_sequence *s = f->sequence;
    for (dlp_index i = 0; i < s->size; i++) {
        if (s->word[i] < 0) continue;
        f->total[s->word[i]]++;
        f->N++;
    }
}

static bool is_candidate(const struct finder *f, dlp_index i)
{
    const int32_t *word = f->sequence->word;
    return i + 1 < f->sequence->size && word[i] >= 0 && word[i + 1] >= 0 &&
           f->content[word[i]] && f->content[word[i + 1]];
}

static void list_places(struct finder *f)
{
    const struct dlpi_sequence *s = f->sequence;
    for (dlp_index i = 0, d = 0; i < s->size; i++) {
        while (i >= s->end[d]) d++;
        if (is_candidate(f, i))
            f->place[f->places++] = (struct place){s->word[i], s->word[i + 1], d};
    }
}

static int compare_places(const void *left, const void *right)
{
    const struct place *x = left, *y = right;
    if (x->a != y->a) return x->a < y->a ? -1 : 1;
    if (x->b != y->b) return x->b < y->b ? -1 : 1;
    return x->document < y->document ? -1 : x->document > y->document;
}

static int compare_pairs(const void *left, const void *right)
{
    const struct pair *x = left, *y = right;
    if (x->a != y->a) return x->a < y->a ? -1 : 1;
    return x->b < y->b ? -1 : x->b > y->b;
}

/* ---- the test ---- */

/* O log(O / E) */
static double part(double observed, double expected)
{
    return observed > 0 ? observed * log(observed / expected) : 0;
}

static double log_likelihood_ratio(double ab, double a, double b, double N)
{
    return 2 *
           (part(ab, a * b / N) + part(a - ab, a * (N - b) / N) +
            part(b - ab, (N - a) * b / N) + part(N - a - b + ab, (N - a) * (N - b) / N));
}

static double npmi(double ab, double a, double b, double N)
{
    return ab < N ? log(ab * N / (a * b)) / -log(ab / N) : 1;
}

/* The places first..last-1 are of one pair, which is kept if it is a phrase. threshold is
   for G2. */
static void judge(struct finder *f, dlp_index first, dlp_index last, double threshold)
{
    const struct place *p = &f->place[first];
    dlp_index documents = 1;
    for (dlp_index i = first + 1; i < last; i++)
        documents += f->place[i].document != f->place[i - 1].document;
    const double ab = (double)(last - first), N = (double)f->N,
                 a = (double)f->total[p->a], b = (double)f->total[p->b];
    /* A word that follows itself is counted once more than it can be. */
    if (documents < f->settings->min_documents || p->a == p->b) return;
    const double g2 = log_likelihood_ratio(ab, a, b, N);
    if (ab * N > a * b && g2 >= threshold &&
        npmi(ab, a, b, N) >= f->settings->phrase_strength)
        f->pair[f->pairs++] = (struct pair){p->a, p->b, g2, -1};
}

static dlp_index end_of_pair(const struct finder *f, dlp_index first)
{
    dlp_index i = first;
    while (i < f->places && f->place[i].a == f->place[first].a &&
           f->place[i].b == f->place[first].b)
        i++;
    return i;
}

static dlp_index count_pairs(const struct finder *f)
{
    dlp_index pairs = 0;
    for (dlp_index i = 0; i < f->places; i = end_of_pair(f, i)) pairs++;
    return pairs;
}

/* P(chi^2_1 > x) < exp(-x / 2): with x = 2 log(pairs / 0.001), all false phrases together
   have less than 0.1 %. */
static void judge_all(struct finder *f)
{
    const double threshold = 2 * log((double)count_pairs(f) / 0.001);
    for (dlp_index i = 0, end = 0; i < f->places; i = end) {
        end = end_of_pair(f, i);
        judge(f, i, end, threshold);
    }
}

/* ---- joining ---- */

static dlp_status name_pairs(struct finder *f, dlp_error *error)
{
    struct dlpi_bytes name = {0};
    dlp_status status = DLP_OK;
    for (dlp_index i = 0; i < f->pairs && status == DLP_OK; i++) {
        const int32_t half[2] = {f->pair[i].a, f->pair[i].b};
        name.size = 0;
        for (int k = 0; k < 2 && status == DLP_OK; k++) {
            size_t size = 0;
            const char *word = dlpi_string_set_name(f->words, half[k], &size);
            for (size_t j = 0; j <= size && status == DLP_OK; j++) {
                status = dlpi_bytes_grow(&name, error);
                if (status == DLP_OK) name.data[name.size++] = j < size ? word[j] : '_';
            }
        }
        if (status == DLP_OK)
            status = dlpi_string_set_add(f->words, name.data, name.size - 1,
                                         &f->pair[i].joined, error);
    }
    free(name.data);
    return status;
}

static const struct pair *pair_at(const struct finder *f, dlp_index i)
{
    if (!is_candidate(f, i)) return NULL;
    const struct pair wanted = {.a = f->sequence->word[i], .b = f->sequence->word[i + 1]};
    return bsearch(&wanted, f->pair, (size_t)f->pairs, sizeof wanted, compare_pairs);
}

/* From left to right; of two pairs that share a word the stronger one. */
static void join_pairs(struct finder *f)
{
    struct dlpi_sequence *s = f->sequence;
    dlp_index next = 0;
    for (dlp_index i = 0, d = 0; i < s->size; i++) {
        const struct pair *here = pair_at(f, i);
        const struct pair *after = here ? pair_at(f, i + 1) : NULL;
        const bool joins = here && !(after && after->g2 > here->g2);
        const dlp_index last = joins ? i + 1 : i;
        s->word[next++] = joins ? here->joined : s->word[i];
        i = last;
        for (; d < s->documents && s->end[d] == i + 1; d++) s->end[d] = next;
    }
    s->size = next;
}

/* ---- the whole ---- */

static void mark_content(const struct finder *f, const struct dlpi_string_set *stop)
{
    for (int32_t t = 0; t < f->words->count; t++) {
        size_t size = 0;
        const char *word = dlpi_string_set_name(f->words, t, &size);
        f->content[t] = dlpi_word_length(word, size) >= f->settings->min_length &&
                        dlpi_string_set_find(stop, word, size) < 0;
    }
}

static dlp_status find_once(struct finder *f, const struct dlpi_string_set *stop,
                            dlp_error *error)
{
    const dlp_index n = f->words->count;
    f->content = dlpi_calloc(n, sizeof *f->content);
    f->total = dlpi_calloc(n, sizeof *f->total);
    f->place = dlpi_calloc(f->sequence->size, sizeof *f->place);
    f->pair = dlpi_calloc(f->sequence->size, sizeof *f->pair);
    if (!f->content || !f->total || !f->place || !f->pair)
        return dlpi_no_memory(error, "phrases");
    mark_content(f, stop);
    count_words(f);
    list_places(f);
    if (f->places == 0) return DLP_OK;
    qsort(f->place, (size_t)f->places, sizeof *f->place, compare_places);
    judge_all(f);
    DLP_TRY(name_pairs(f, error));
    if (f->pairs > 0) join_pairs(f);
    return DLP_OK;
}

dlp_status dlpi_text_collocate(const dlp_text_settings *settings,
                               const struct dlpi_string_set *stop,
                               struct dlpi_string_set *words,
                               struct dlpi_sequence *sequence, dlp_error *error)
{
    dlp_status status = DLP_OK;
    for (int pass = 0; pass < 2 && status == DLP_OK; pass++) {
        struct finder f = {.settings = settings, .words = words, .sequence = sequence};
        status = find_once(&f, stop, error);
        free(f.content);
        free(f.total);
        free(f.place);
        free(f.pair);
    }
    return status;
}
