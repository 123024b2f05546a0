/* SPDX-License-Identifier: BSD-3-Clause */
/* Fits with several numbers of topics, compared on documents held out. */
#include <delaplace/topic_search.h>

#include "core/core.h"
#include "core/settings.h"
#include "topics/ctm/seconds.h"
#include "topics/describe/topic_quality.h"

#include <math.h>

struct dlp_topic_search {
    dlp_index splits;
    dlp_corpus **train, **test;   /* (splits) */
    dlp_topics_settings settings; /* except K */
    int random_halves;
    dlp_index count, done;
    dlp_search_row *row; /* (count) K of each; the rest is known up to `done` */
};

void dlp_search_settings_init(dlp_search_settings *settings, size_t size)
{
    const dlp_search_settings defaults = {.every = 5, .splits = 1};
    dlpi_settings_give(settings, size, &defaults, sizeof defaults);
}

/* ---- the split ---- */

static dlp_status check(const dlp_corpus *corpus, const dlp_search_settings *s,
                        dlp_error *error)
{
    if (s->every < 2)
        return dlp_fail(error, DLP_EINVAL, "every is %td; it must be 2 or more",
                        s->every);
    if (s->splits < 1 || s->splits > s->every)
        return dlp_fail(error, DLP_EINVAL,
                        "splits is %td; with every %td-th document held out there are 1 "
                        "to %td",
                        s->splits, s->every, s->every);
    if (corpus->D < 2)
        return dlp_fail(
            error, DLP_EINPUT,
            "there %s %td document%s, but a search needs some to fit and some "
            "to hold out; add documents",
            corpus->D == 1 ? "is" : "are", corpus->D, corpus->D == 1 ? "" : "s");
    if (corpus->D < s->every)
        return dlpi_advise(
            error, DLP_REMEDY_HOLD_OUT,
            dlp_fail(
                error, DLP_EINPUT,
                "there are %td documents, so there is no %td-th to hold out; hold out "
                "every %td-th",
                corpus->D, s->every, corpus->D));
    return DLP_OK;
}

static dlp_status prepare(dlp_topic_search *search, const dlp_corpus *corpus,
                          const dlp_index *K, const dlp_search_settings *s,
                          dlp_error *error)
{
    search->row = dlpi_calloc(search->count, sizeof *search->row);
    search->train = dlpi_calloc(search->splits, sizeof *search->train);
    search->test = dlpi_calloc(search->splits, sizeof *search->test);
    if (!search->row || !search->train || !search->test)
        return dlpi_no_memory(error, "the search");
    for (dlp_index i = 0; i < search->count; i++) search->row[i].K = K[i];
    search->settings = dlp_topics_settings_default();
    DLP_TRY(
        dlpi_settings_take(&search->settings, sizeof search->settings, s->topics, error));
    dlp_split_settings split = dlp_split_settings_default();
    split.every = s->every;
    for (; split.before < search->splits; split.before++)
        DLP_TRY(dlp_corpus_split(corpus, &split, &search->train[split.before],
                                 &search->test[split.before], error));
    return DLP_OK;
}

dlp_status dlp_topic_search_alloc(const dlp_corpus *corpus, dlp_index n,
                                  const dlp_index *K, const dlp_search_settings *settings,
                                  dlp_topic_search **search, dlp_error *error)
{
    dlp_search_settings s = dlp_search_settings_default();
    *search = NULL;
    DLP_TRY(dlpi_settings_take(&s, sizeof s, settings, error));
    DLP_TRY(check(corpus, &s, error));
    dlp_topic_search *made = dlpi_calloc(1, sizeof *made);
    if (!made) return dlpi_no_memory(error, "the search");
    made->count = n;
    made->splits = s.splits;
    made->random_halves = s.random_halves;
    const dlp_status status = prepare(made, corpus, K, &s, error);
    if (status != DLP_OK) {
        dlp_topic_search_free(made);
        return status;
    }
    *search = made;
    return DLP_OK;
}

void dlp_topic_search_free(dlp_topic_search *search)
{
    if (!search) return;
    for (dlp_index s = 0; s < search->splits; s++) {
        if (search->train) dlp_corpus_free(search->train[s]);
        if (search->test) dlp_corpus_free(search->test[s]);
    }
    free(search->train);
    free(search->test);
    free(search->row);
    free(search);
}

int dlp_topic_search_done(const dlp_topic_search *search)
{
    return search->done == search->count;
}

const dlp_search_row *dlp_topic_search_rows(const dlp_topic_search *search, dlp_index *n)
{
    *n = search->done;
    return search->row;
}

const dlp_corpus *dlp_topic_search_train(const dlp_topic_search *search)
{
    return search->train[0];
}

const dlp_corpus *dlp_topic_search_test(const dlp_topic_search *search)
{
    return search->test[0];
}

/* ---- a fit ---- */

/* A number of topics on one split. */
typedef struct fit {
    const dlp_topic_search *search;
    const dlp_corpus *train, *test;
    dlp_ctm *ctm;
    dlp_topics topics;
    dlp_search_row row;
} fit;

static dlp_status run_fit(fit *f, dlp_error *error)
{
    dlp_search_row *row = &f->row;
    DLP_TRY(dlp_ctm_start(f->ctm, error));
    dlp_ctm_run(f->ctm);
    const dlp_topics_result *r = dlp_ctm_result(f->ctm);
    if (r->outcome == DLP_CANCELLED)
        return dlp_fail(error, DLP_ECANCELLED, "cancelled by the caller");
    row->outcome = r->outcome;
    row->iterations = r->iterations;
    row->objective_per_word = r->objective_per_word;
    return dlp_ctm_topics(f->ctm, &f->topics, error);
}

/* Held-out documents are read as those of the fit are. */
static dlp_status score(fit *f, dlp_error *error)
{
    const dlp_topics_settings *s = &f->search->settings;
    dlp_document_settings document = dlp_document_settings_default();
    dlp_completion_settings settings = dlp_completion_settings_default();
    dlp_completion held;
    dlp_topic_quality quality;
    document.method = s->method;
    document.plain = s->plain;
    document.tol = s->document_tol;
    document.max_iter = s->document_max_iter;
    settings.document = &document;
    settings.threads = s->threads;
    settings.random_halves = f->search->random_halves;
    settings.seed = s->seed;
    DLP_TRY(dlp_topics_completion(&f->topics, &settings, f->test, NULL, &held, error));
    f->row.heldout_per_word = held.per_word;
    DLP_TRY(dlp_topics_rate(&f->topics, f->train, &quality, error));
    f->row.coherence = quality.mean_coherence;
    f->row.exclusivity = quality.mean_exclusivity;
    dlp_topic_quality_free(&quality);
    return dlpi_topics_dispersion(&f->topics, f->train, dlp_ctm_result(f->ctm)->mu,
                                  &f->row.dispersion, error);
}

static dlp_status fit_split(fit *f, dlp_error *error)
{
    dlp_topics_settings settings = f->search->settings;
    const double began = dlpi_seconds();
    settings.K = f->row.K;
    DLP_TRY(dlp_ctm_alloc(f->train, NULL, &settings, &f->ctm, error));
    dlp_status status = run_fit(f, error);
    f->row.seconds = dlpi_seconds() - began;
    if (status == DLP_OK) status = score(f, error);
    dlp_topics_free(&f->topics);
    dlp_ctm_free(f->ctm);
    return status;
}

/* The n-th number of a mean and the sum of squares around it, by Welford's recurrence. */
static void add_number(double x, dlp_index n, double *mean, double *square)
{
    const double off = x - *mean;
    *mean += off / (double)n;
    *square += off * (x - *mean);
}

static void add_split(const dlp_search_row *one, dlp_index n, dlp_search_row *row)
{
    double none = 0;
    add_number(one->objective_per_word, n, &row->objective_per_word, &none);
    add_number(one->heldout_per_word, n, &row->heldout_per_word, &row->heldout_sd);
    add_number(one->coherence, n, &row->coherence, &row->coherence_sd);
    add_number(one->exclusivity, n, &row->exclusivity, &row->exclusivity_sd);
    add_number(one->dispersion, n, &row->dispersion, &row->dispersion_sd);
    if (one->iterations > row->iterations) row->iterations = one->iterations;
    if (n == 1 || row->outcome == DLP_CONVERGED) row->outcome = one->outcome;
    row->seconds += one->seconds;
}

/* The standard deviation of n numbers from their sum of squares; NaN of one. */
static double sd_of(double square, dlp_index n)
{
    return n > 1 ? sqrt(square / (double)(n - 1)) : NAN;
}

dlp_status dlp_topic_search_next(dlp_topic_search *search, dlp_error *error)
{
    if (dlp_topic_search_done(search)) return DLP_OK;
    const dlp_index n = search->splits, K = search->row[search->done].K;
    dlp_search_row row = {.K = K};
    for (dlp_index s = 0; s < n; s++) {
        fit f = {.search = search,
                 .train = search->train[s],
                 .test = search->test[s],
                 .row = {.K = K}};
        DLP_TRY(fit_split(&f, error));
        add_split(&f.row, s + 1, &row);
    }
    row.heldout_sd = sd_of(row.heldout_sd, n);
    row.coherence_sd = sd_of(row.coherence_sd, n);
    row.exclusivity_sd = sd_of(row.exclusivity_sd, n);
    row.dispersion_sd = sd_of(row.dispersion_sd, n);
    search->row[search->done++] = row;
    return DLP_OK;
}

/* ---- which is best ---- */

static double held_out_of(const dlp_search_row *row)
{
    return row->heldout_per_word;
}

static double coherence_of(const dlp_search_row *row)
{
    return row->coherence;
}

/* The row of the largest number; NULL: no row has one. */
static const dlp_search_row *best_by(const dlp_topic_search *search,
                                     double (*number)(const dlp_search_row *))
{
    const dlp_search_row *best = NULL;
    for (dlp_index i = 0; i < search->done; i++) {
        const dlp_search_row *row = &search->row[i];
        if (isfinite(number(row)) && (!best || number(row) > number(best))) best = row;
    }
    return best;
}

static dlp_index fewest_close_to(const dlp_topic_search *search,
                                 const dlp_search_row *best)
{
    const double close = DLP_SEARCH_CLOSE * fabs(best->heldout_per_word);
    dlp_index fewest = best->K;
    for (dlp_index i = 0; i < search->done; i++) {
        const dlp_search_row *row = &search->row[i];
        const double lost = best->heldout_per_word - row->heldout_per_word;
        if (lost <= close && row->K < fewest) fewest = row->K;
    }
    return fewest;
}

dlp_search_advice dlp_topic_search_advise(const dlp_topic_search *search)
{
    const dlp_search_row *held_out = best_by(search, held_out_of);
    const dlp_search_row *coherent = best_by(search, coherence_of);
    dlp_search_advice a = {.best_held_out = held_out ? held_out->K : 0,
                           .best_coherence = coherent ? coherent->K : 0,
                           .suggested = held_out ? fewest_close_to(search, held_out) : 0};
    for (dlp_index i = 0; i < search->done; i++) {
        const dlp_index K = search->row[i].K;
        if (i == 0 || K < a.least) a.least = K;
        if (K > a.largest) a.largest = K;
    }
    const bool edge = a.suggested > 0 && a.least < a.largest;
    a.more = edge && a.suggested == a.largest &&
             (a.best_coherence == 0 || a.best_coherence == a.largest);
    a.fewer = edge && a.best_held_out == a.least;
    return a;
}
