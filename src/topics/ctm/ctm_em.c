/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Variational EM for the correlated topic model (Section 4.1, after Blei and Lafferty
 * 2007). An iteration is an M step from the sums of the last E step, then an E step: so
 * the documents' means, the objective and the topics that a fit ends with belong
 * together.
 *
 * Laplace's method gives the modes of documents, and EM takes them for means. With z
 * integrated out a mode is nearer the prior's mean than the mean is, so that Sigma_0
 * comes out too small, most of all when documents have few words. Modes give better
 * topics, though: means blur them (docs/accuracy.md). So EM uses modes until the topics
 * have settled; then the topics stay fixed and the prior is fitted with means.
 */
#include "core/core.h"
#include "core/settings.h"
#include "core/threads.h"
#include "corpus/formats/mapped.h"
#include "infer/em.h"
#include "infer/iterations_left.h"
#include "math/symmetric/structure.h"
#include "topics/ctm/ctm_divide.h"

#include <delaplace/processes.h>

#include <math.h>
#include <string.h>

static const dlp_topics_settings defaults = {.method = "laplace",
                                             .init = "spectral",
                                             .seed = 1,
                                             .tol = 2e-5,
                                             .max_iter = 500,
                                             .seed_weight = 0.1,
                                             .ridge = 1,
                                             .document_tol = 1e-4,
                                             .document_max_iter = 200};

void dlp_topics_settings_init(dlp_topics_settings *settings, size_t size)
{
    dlpi_settings_give(settings, size, &defaults, sizeof defaults);
}

static double *row_of(const dlp_ctm *ctm, double *rows, dlp_index v)
{
    return rows + (v - ctm->first_term) * ctm->shared.stride;
}

/* Smooths the counts of a chunk of the terms seen, and adds them up into sum (K). */
static void smooth_chunk(dlp_ctm *ctm, dlp_index from, dlp_index to, double *sum)
{
    const dlp_index K = ctm->shared.K;
    memset(sum, 0, (size_t)K * sizeof *sum);
    for (dlp_index v = from; v < to; v++)
        for (dlp_index k = 0; dlpi_ctm_is_seen(ctm, v) && k < K; k++) {
            double *count = row_of(ctm, ctm->counts, v) + k;
            *count += ctm->settings.smooth;
            sum[k] += *count;
        }
}

/* The length of the topics' step, as a multiple of EM's. Near the end of EM, a step
   leaves a fraction of 0 to 1 of the way along each direction; a step less than 2 times
   as long still gets nearer along all of them. The first step has EM's length, as do
   steps by minibatches and steps of the paper. */
static double step_length(const dlp_ctm *ctm)
{
    const double LONGER = 1.8;
    return ctm->result.iterations < 2 || ctm->settings.paper_covariance ? 1 : LONGER;
}

/* For a chunk of terms: beta without the smoothing, after a step of that length, from the
   smoothed counts and their total (K). It still has to be scaled, for which sum (K)
   receives its sums. *moved receives its part of sum_k total_k |EM's beta_k - beta_k
   before|. */
static void move_chunk(dlp_ctm *ctm, dlp_index from, dlp_index to, const double *total,
                       double *sum, double *moved)
{
    const dlp_index K = ctm->shared.K;
    const double further = step_length(ctm) - 1, smooth = ctm->settings.smooth;
    *moved = 0;
    memset(sum, 0, (size_t)K * sizeof *sum);
    for (dlp_index v = from; v < to; v++) {
        double *beta = row_of(ctm, ctm->beta, v);
        const double *counts = row_of(ctm, ctm->counts, v);
        for (dlp_index k = 0; dlpi_ctm_is_seen(ctm, v) && k < K; k++) {
            if (ctm->fixed && ctm->fixed[k]) continue;
            const double way = counts[k] - total[k] * beta[k];
            *moved += fabs(way);
            beta[k] = fmax(counts[k] - smooth + further * way, 0);
            sum[k] += beta[k];
        }
    }
}

/* beta = (smooth + that, scaled so that its sum is the counts' again) / total */
static void normalise_chunk(dlp_ctm *ctm, dlp_index from, dlp_index to,
                            const double *total, const double *scale)
{
    const dlp_index K = ctm->shared.K;
    for (dlp_index v = from; v < to; v++)
        for (dlp_index k = 0; dlpi_ctm_is_seen(ctm, v) && k < K; k++) {
            double *beta = row_of(ctm, ctm->beta, v) + k;
            if (ctm->fixed && ctm->fixed[k]) continue;
            *beta = (ctm->settings.smooth + scale[k] * *beta) / total[k];
        }
}

static void add_parts(dlp_index K, const double *part, double *sum)
{
    memset(sum, 0, (size_t)K * sizeof *sum);
    for (dlp_index i = 0; i < DLPI_CTM_TERM_CHUNKS * K; i++) sum[i % K] += part[i];
}

static dlp_index count_seen(const dlp_ctm *ctm)
{
    dlp_index seen = 0;
    for (dlp_index v = 0; v < ctm->shared.V; v++) seen += dlpi_ctm_is_seen(ctm, v);
    return seen;
}

/* beta_kv prop. to smooth + sum_d sum_w [w = v] c_w phi_wk, over the terms seen, or a
   longer step. The sums over terms are taken by chunks whose number does not depend on
   the threads. */
static void update_beta(dlp_ctm *ctm)
{
    enum { CHUNKS = DLPI_CTM_TERM_CHUNKS };
    const dlp_index K = ctm->shared.K, V = ctm->shared.V;
    double *part = ctm->term_sums, *total = part + CHUNKS * K, *scale = total + K;
    double moved[CHUNKS], all = 0, words = 0;
    dlp_index first, end;
    dlpi_divided_own_chunks(ctm, &first, &end);
#pragma omp parallel for schedule(static) num_threads(ctm->settings.threads)
    for (dlp_index c = first; c < end; c++)
        smooth_chunk(ctm, V * c / CHUNKS, V * (c + 1) / CHUNKS, part + c * K);
    dlpi_divided_share_chunks(ctm, K, part);
    add_parts(K, part, total);
#pragma omp parallel for schedule(static) num_threads(ctm->settings.threads)
    for (dlp_index c = first; c < end; c++)
        move_chunk(ctm, V * c / CHUNKS, V * (c + 1) / CHUNKS, total, part + c * K,
                   &moved[c]);
    dlpi_divided_share_chunks(ctm, K, part);
    dlpi_divided_share_chunks(ctm, 1, moved);
    add_parts(K, part, scale);
    const double smoothing = (double)count_seen(ctm) * ctm->settings.smooth;
    for (dlp_index k = 0; k < K; k++)
        scale[k] = scale[k] > 0 ? (total[k] - smoothing) / scale[k] : 0;
#pragma omp parallel for schedule(static) num_threads(ctm->settings.threads)
    for (dlp_index c = first; c < end; c++)
        normalise_chunk(ctm, V * c / CHUNKS, V * (c + 1) / CHUNKS, total, scale);
    for (dlp_index c = 0; c < CHUNKS; c++) all += moved[c];
    for (dlp_index k = 0; k < K; k++) words += total[k];
    ctm->moved = 0.5 * all / words;
}

/* While the topics still move, documents need not be inferred precisely: the tolerance is
   a hundred times wider at first, and as it was set once changes are below 1e-3. It
   depends only on the trace so far, so a resumed fit has the same. (Figure 1 to the
   letter keeps its own.) */
static double tolerance_width(const dlp_ctm *ctm, int iterations_before)
{
    const int last = iterations_before - 1;
    return last < 1 ? 100 : fmin(fmax(1e3 * fabs(ctm->trace[last].change), 1), 100);
}

/* Near the end the objective changes with the square of how far the topics move. Long
   before, it is flat in directions that still lead to topics that predict better: with z
   integrated out it is not a bound, and may even fall there. So the topics must have
   settled, too. docs/accuracy.md shows what that gains on held-out words. */
static double topics_tolerance(const dlp_ctm *ctm)
{
    return ctm->settings.paper_covariance ? INFINITY : 0.2 * sqrt(ctm->settings.tol);
}

/* How many more iterations the prior needs to settle, with topics as they are. One hands
   over; the others go most of the way, and later ones predict no better. */
static int settling_iterations(const dlp_ctm *ctm)
{
    enum { SETTLING = 6 };
    return dlpi_ctm_finds_means(&ctm->doc[0]) ? SETTLING : 0;
}

/* Whether the objective and the topics are at rest after iteration i. */
static bool rests_after(const dlp_ctm *ctm, int i)
{
    const dlp_topics_row *row = &ctm->trace[i - 1];
    return fabs(row->change) <= ctm->settings.tol && tolerance_width(ctm, i - 1) == 1 &&
           row->moved <= topics_tolerance(ctm);
}

/* The iteration, among the first `done`, after which topics had settled; 0: not yet.
   Judged by the trace alone, so that a resumed fit continues in the same way. */
static int topics_rested(const dlp_ctm *ctm, int done)
{
    for (int i = 1; i <= done; i++)
        if (rests_after(ctm, i)) return i;
    return 0;
}

static void update_topics(dlp_ctm *ctm)
{
    dlpi_ctm_count_seeds(ctm);
    if (ctm->slices)
        dlpi_slices_m_step(ctm);
    else
        update_beta(ctm);
}

static bool m_step(void *model)
{
    dlp_ctm *ctm = model;
    bool good = true;
    if (!ctm->summed) dlpi_ctm_sum_again(ctm); /* just loaded */
    if (ctm->dirichlet) dlpi_ctm_collect_means(ctm);
    if (dlpi_ctm_leads(ctm)) dlpi_ctm_add_kept(ctm);
    if (topics_rested(ctm, ctm->result.iterations) > 0)
        ctm->moved = 0;
    else if (dlpi_ctm_leads(ctm) || ctm->divided)
        update_topics(ctm);
    if (dlpi_ctm_leads(ctm)) {
        good = dlpi_ctm_update_prior(ctm);
        dlpi_ctm_move_kept(ctm);
    }
    ctm->summed = false;
    return dlpi_ctm_share_topics(ctm, good);
}

void dlpi_ctm_sum_again(dlp_ctm *ctm)
{
    ctm->by_mean = topics_rested(ctm, ctm->result.iterations - 1) > 0;
    dlpi_ctm_e_step(ctm, false);
}

bool dlpi_ctm_m_step(dlp_ctm *ctm)
{
    return m_step(ctm);
}

dlp_outcome dlpi_ctm_ended(const dlp_ctm *ctm)
{
    const int done = ctm->result.iterations;
    const dlp_topics_row *last = &ctm->trace[done - 1];
    if (!isfinite(last->objective)) return DLP_DIVERGED;
    const int rested = topics_rested(ctm, done);
    if (rested > 0 && done >= rested + settling_iterations(ctm)) return DLP_CONVERGED;
    return done < ctm->settings.max_iter ? DLP_RUNNING : DLP_MAX_ITERATIONS;
}

/* Takes the E step into the trace. */
static double record(void *model, int iteration, double objective)
{
    dlp_ctm *ctm = model;
    dlp_topics_result *r = &ctm->result;
    const double before = r->objective;
    dlp_topics_row *row = &ctm->trace[iteration - 1];
    *row =
        (dlp_topics_row){.iteration = iteration,
                         .evaluations = (dlp_index)ctm->sums.head[DLPI_CTM_EVALUATIONS],
                         .unsettled = (dlp_index)ctm->sums.head[DLPI_CTM_UNSETTLED],
                         .objective = objective};
    if (row->iteration > 1) {
        row->change = (row->objective - before) / (1 + fabs(before));
        row->moved = ctm->moved;
    }
    r->decreases += row->change < 0;
    r->objective = row->objective;
    r->objective_per_word = row->objective / (double)ctm->share.words;
    r->unsettled = row->unsettled;
    r->iterations = iteration;
    return ctm->settings.paper_covariance ? row->change : row->moved;
}

static dlp_outcome ended(const void *model)
{
    return dlpi_ctm_ended(model);
}

static void set_document_tolerance(dlp_ctm *ctm)
{
    const double width = tolerance_width(ctm, ctm->result.iterations);
    for (int t = 0; t < ctm->settings.threads; t++)
        ctm->doc[t].tol = width * ctm->settings.document_tol;
}

static dlp_status e_step(void *model, double *objective, dlp_error *error)
{
    dlp_ctm *ctm = model;
    set_document_tolerance(ctm);
    ctm->by_mean = topics_rested(ctm, ctm->result.iterations) > 0;
    dlpi_ctm_e_step(ctm, true);
    *objective = ctm->sums.head[DLPI_CTM_OBJECTIVE];
    return dlpi_ctm_failure(ctm, error);
}

static const dlpi_em_type ctm_em = {.e_step = e_step,
                                    .m_step = m_step,
                                    .m_step_first = true,
                                    .record = record,
                                    .ended = ended};

/* The tolerance shown at the end of an iteration: that of the criterion that is usually
   met last. */
static double tolerance_shown(const dlp_ctm *ctm)
{
    return ctm->settings.paper_covariance ? ctm->settings.tol : topics_tolerance(ctm);
}

/* An estimate from the quantity shown, and at most as many as the settings allow. */
static double iterations_left(dlp_ctm *ctm, const dlp_progress *told)
{
    const int iteration = told->iteration, most = ctm->settings.max_iter - iteration;
    if (ctm->settings.paper_covariance)
        return dlpi_steps_left(&ctm->steps, told->change, told->tol, most);
    if (iteration < 3) return 0;
    const dlp_topics_row *trace = ctm->trace;
    const int rested = topics_rested(ctm, iteration), settling = settling_iterations(ctm);
    if (rested > 0) return fmax(rested + settling - iteration, 0);
    const double left = dlpi_iterations_left(
        iteration, trace[iteration - 1].moved,
        trace[dlpi_iteration_before(iteration) - 1].moved, tolerance_shown(ctm));
    return fmin(left > 0 ? left + settling : 0, most);
}

/* The loop has a listener of its own. The caller may ask to stop at any document, but the
   iteration is finished first. With several processes, all end after the same
   iteration. */
static int tell(void *context, const dlp_progress *progress)
{
    dlp_ctm *ctm = context;
    dlp_progress told = *progress;
    if (!told.polled && told.iteration == ctm->result.iterations)
        told.left = iterations_left(ctm, &told);
    const bool stop = dlpi_listener_report(&ctm->listener, told);
    return dlpi_ctm_alone(ctm) ? stop : ctm->share.stop;
}

void dlp_ctm_step(dlp_ctm *ctm)
{
    dlp_topics_result *r = &ctm->result;
    if (dlp_ctm_done(ctm)) return;
    dlpi_listener listener = {.call = tell, .context = ctm};
    dlpi_listener_begin(&listener, "fitting", ctm->settings.max_iter,
                        tolerance_shown(ctm));
    dlpi_em em = {.type = &ctm_em,
                  .model = ctm,
                  .listener = &listener,
                  .max_iter = ctm->settings.max_iter,
                  .iterations = r->iterations,
                  .objective = r->objective};
    dlpi_em_step(&em, NULL);
    r->outcome = em.outcome;
}

void dlp_ctm_run(dlp_ctm *ctm)
{
    while (!dlp_ctm_done(ctm)) dlp_ctm_step(ctm);
}

int dlp_ctm_done(const dlp_ctm *ctm)
{
    return !ctm->started || ctm->result.outcome != DLP_RUNNING;
}

const dlp_topics_result *dlp_ctm_result(const dlp_ctm *ctm)
{
    return &ctm->result;
}

/* beta (K, V), one topic after the other; many terms at a time, as rows are stored */
static void copy_beta(const dlp_ctm *ctm, dlp_index V, const double *from, double *to)
{
    enum { TERMS = 1024 };
    const dlp_index K = ctm->shared.K, stride = ctm->shared.stride;
    for (dlp_index first = 0; first < V; first += TERMS) {
        const dlp_index end = first + TERMS < V ? first + TERMS : V;
        for (dlp_index k = 0; k < K; k++)
            for (dlp_index v = first; v < end; v++) to[k * V + v] = from[v * stride + k];
        if (ctm->divided) dlpi_pages_release(from + first * stride, from + end * stride);
    }
}

dlp_status dlp_ctm_topics(const dlp_ctm *ctm, dlp_topics *topics, dlp_error *error)
{
    return dlpi_ctm_topics_of(ctm, NULL, topics, error);
}

dlp_status dlpi_ctm_topics_of(const dlp_ctm *ctm, dlpi_scratch *words, dlp_topics *topics,
                              dlp_error *error)
{
    const dlp_index K = ctm->shared.K;
    const dlp_index V =
        ctm->slices ? ctm->shared.V / ctm->settings.slices : ctm->shared.V;
    const double *beta = dlpi_ctm_whole_beta(ctm);
    if (!beta)
        return dlp_fail(error, DLP_EINVAL,
                        "topics are divided among processes; process 0 has them");
    DLP_TRY(dlpi_corpus_unchanged(ctm->corpus, error));
    if (words && ctm->divided) {
        DLP_TRY(dlpi_scratch_alloc(dlpi_size(K, V, 0),
                                   dlpi_scratch_folder(ctm->settings.scratch), words,
                                   error));
        DLP_TRY(dlp_topics_alloc(K, 1, ctm->p, topics, error));
        free(topics->beta);
        topics->beta = words->x;
        topics->V = V;
    } else {
        DLP_TRY(dlp_topics_alloc(K, V, ctm->p, topics, error));
    }
    if (ctm->slices)
        dlpi_slices_mean(ctm, topics->beta);
    else
        copy_beta(ctm, V, beta, topics->beta);
    dlpi_ctm_gamma_out(ctm, topics->Gamma);
    memcpy(topics->Sigma0, ctm->shared.Sigma0, (size_t)(K * K) * sizeof *topics->Sigma0);
    return DLP_OK;
}

void dlpi_ctm_give_means(dlp_ctm *ctm, dlpi_scratch *means)
{
    *means = ctm->means;
    ctm->means = (dlpi_scratch){.x = NULL};
    ctm->mu = NULL;
    ctm->result.mu = NULL;
}

static dlp_document_settings document_settings(const dlp_topics_settings *s)
{
    dlp_document_settings settings = dlp_document_settings_default();
    settings.method = s->method;
    settings.plain = s->plain;
    settings.tol = s->document_tol;
    settings.max_iter = s->document_max_iter;
    return settings;
}

static dlp_status check_numbers(const dlp_topics_settings *s, dlp_error *error)
{
    if (!(s->tol > 0) || s->max_iter < 1 || s->max_iter > 1000000 || s->threads < 0 ||
        s->threads > 1024)
        return dlp_fail(error, DLP_EINVAL,
                        "tol must be positive, max_iter 1 to 1000000, threads 0 to 1024");
    if (!(s->smooth >= 0 && isfinite(s->smooth)) || !(s->shrink >= 0 && s->shrink <= 1) ||
        !(s->ridge >= 0 && isfinite(s->ridge)))
        return dlp_fail(error, DLP_EINVAL,
                        "smooth must be 0 or more, shrink 0 to 1, ridge 0 or more");
    if (!(s->seed_weight >= 0 && isfinite(s->seed_weight)))
        return dlp_fail(error, DLP_EINVAL, "seed_weight must be 0 or more");
    return DLP_OK;
}

static dlp_status check_fixed(const dlp_topics_settings *s, dlp_error *error)
{
    if (s->n_fixed == 0) return DLP_OK;
    if (!s->start || !s->fixed)
        return dlp_fail(
            error, DLP_EINVAL,
            "fixed topics come from a model to start from, but there is none");
    for (dlp_index i = 0; i < s->n_fixed; i++)
        if (s->fixed[i] < 0 || s->fixed[i] >= s->start->K)
            return dlp_fail(error, DLP_EINVAL,
                            "there is no topic %td to keep; the model to start from has "
                            "topics 1 to %td",
                            s->fixed[i] + 1, s->start->K);
    return DLP_OK;
}

static dlp_status check_online(const dlp_topics_settings *s, dlp_error *error)
{
    if (s->online == 0) return DLP_OK;
    if (s->online < 0 || s->online > 1000)
        return dlp_fail(error, DLP_EINVAL, "online must be 0 to 1000 passes");
    if (s->slices > 0 || s->content_groups > 0 || s->n_seed_words > 0 || s->n_fixed > 0 ||
        dlpi_ctm_method_find(s->method) == &dlpi_ctm_dirichlet)
        return dlp_fail(error, DLP_EINVAL,
                        "passes by minibatches are for topics without slices, groups, "
                        "seeds, fixed topics or a Dirichlet prior");
    return DLP_OK;
}

static dlp_status check_settings(const dlp_corpus *corpus, const dlp_topics_settings *s,
                                 dlp_error *error)
{
    DLP_TRY(dlp_corpus_check(corpus, error));
    if (s->K < 2 || s->K > 10000)
        return dlp_fail(error, DLP_EINVAL, "K is %td; it must be 2 to 10000", s->K);
    const bool leads = !s->processes || dlp_processes_rank(s->processes) == 0;
    if (corpus->words == 0 && leads) /* with more processes than parts, some have none */
        return dlp_fail(error, DLP_EINPUT,
                        "the corpus has no words in which to find topics");
    DLP_TRY(dlpi_ctm_check_seeds(corpus, s, error));
    DLP_TRY(check_fixed(s, error));
    DLP_TRY(check_online(s, error));
    const dlp_document_settings document = document_settings(s);
    DLP_TRY(dlpi_ctm_check_document_settings(&document, error));
    if (s->start) return check_numbers(s, error);
    dlpi_ctm_init init;
    if (!dlpi_ctm_init_find(s->init, &init))
        return dlp_fail(error, DLP_EINVAL, "init is %s; it must be spectral or random",
                        s->init ? s->init : "NULL");
    return check_numbers(s, error);
}

static dlp_status alloc_sums(dlp_ctm *ctm, dlp_error *error)
{
    const dlp_index K = ctm->shared.K,
                    counts = ctm->divided
                                 ? 0
                                 : dlpi_size(ctm->shared.V, ctm->shared.stride, 0);
    const dlp_index each = dlpi_size(K, K, dlpi_size(ctm->p, K, DLPI_CTM_HEAD));
    ctm->n_chunks = dlpi_ctm_chunks(K);
    ctm->chunk = dlpi_calloc(ctm->n_chunks, sizeof *ctm->chunk);
    ctm->sums_block =
        dlpi_calloc(dlpi_size(ctm->n_chunks, each, 0), sizeof *ctm->sums_block);
    ctm->term_sums =
        dlpi_calloc(dlpi_size(DLPI_CTM_TERM_CHUNKS + 2, K, 0), sizeof *ctm->term_sums);
    if (!ctm->chunk || !ctm->sums_block || !ctm->term_sums)
        return dlpi_no_memory(error, "the sums of EM");
    for (dlp_index c = 0; c < ctm->n_chunks; c++)
        ctm->chunk[c] = dlpi_ctm_sums_at(ctm, ctm->sums_block + c * each);
    DLP_TRY(dlpi_tree_alloc(&ctm->tree, ctm->share.comm, ctm->share.parts,
                            dlpi_size(1, counts, each), ctm->settings.threads, error));
    ctm->n_counts = counts;
    ctm->sums = dlpi_ctm_sums_at(ctm, ctm->tree.slot[0] + counts);
    ctm->counts = ctm->divided ? ctm->divided->counts : ctm->tree.slot[0];
    ctm->beta = ctm->divided ? ctm->divided->beta : ctm->shared.beta;
    ctm->first_term = ctm->divided ? ctm->divided->from : 0;
    return DLP_OK;
}

static dlp_status alloc_documents(dlp_ctm *ctm, dlp_error *error)
{
    const dlp_index longest = dlpi_ctm_longest(ctm->corpus);
    const dlp_document_settings settings = document_settings(&ctm->settings);
    ctm->doc = dlpi_calloc(ctm->settings.threads, sizeof *ctm->doc);
    if (!ctm->doc) return dlpi_no_memory(error, "the documents");
    for (int t = 0; t < ctm->settings.threads; t++) {
        DLP_TRY(dlpi_ctm_document_alloc(&ctm->shared, &settings, &ctm->doc[t], error));
        DLP_TRY(dlpi_ctm_document_reserve(&ctm->doc[t], longest, error));
        ctm->doc[t].marginal = !ctm->settings.paper_covariance;
    }
    return DLP_OK;
}

static dlp_status take_fixed(dlp_ctm *ctm, dlp_error *error)
{
    const dlp_topics_settings *s = &ctm->settings;
    if (s->n_fixed == 0) return DLP_OK;
    ctm->fixed = dlpi_calloc(s->K, sizeof *ctm->fixed);
    if (!ctm->fixed) return dlpi_no_memory(error, "the topic model");
    for (dlp_index i = 0; i < s->n_fixed; i++) ctm->fixed[s->fixed[i]] = true;
    return DLP_OK;
}

static dlp_status count_terms(dlp_ctm *ctm, dlp_error *error)
{
    const dlp_corpus *c = ctm->corpus;
    ctm->occurs = dlpi_calloc(c->V, sizeof *ctm->occurs);
    if (!ctm->occurs) return dlpi_no_memory(error, "the topic model");
    for (dlp_index from = 0, to; from < c->D; from = to) {
        to = dlpi_corpus_stretch(c, from);
        for (dlp_index i = c->row[from]; i < c->row[to]; i++)
            ctm->occurs[c->term[i]] += c->count[i];
        dlpi_corpus_leave(c, from, to);
    }
    return DLP_OK;
}

/* A tenth of a word of each term in each topic, unless that would be more than this part
   of all words: with many topics and terms there are few words for each. Chosen on
   held-out parts of training documents; docs/accuracy.md. */
double dlpi_ctm_usual_smooth(dlp_index K, dlp_index V, dlp_index words)
{
    const double most = 0.1, part = 0.07;
    return fmin(most, part * (double)words / ((double)K * (double)V));
}

static dlp_status allocate(dlp_ctm *ctm, const dlp_covariates *covariates,
                           dlp_error *error)
{
    const dlp_index K = ctm->settings.K, D = ctm->corpus->D, V = ctm->corpus->V;
    const dlp_index block = D < DLPI_CTM_BLOCK ? D : DLPI_CTM_BLOCK,
                    pairs = dlpi_block_most(ctm->corpus, block);
    DLP_TRY(dlpi_ctm_plan_memory(ctm, covariates ? covariates->p : 1, pairs, error));
    DLP_TRY(dlpi_block_alloc(V, pairs, ctm->settings.threads, &ctm->block, error));
    DLP_TRY(count_terms(ctm, error));
    const dlp_index slices = ctm->slices ? ctm->settings.slices : 1;
    if (ctm->settings.smooth == 0)
        ctm->settings.smooth = dlpi_ctm_usual_smooth(K, V / slices, ctm->share.words);
    DLP_TRY(dlpi_ctm_shared_alloc_rows(K, V, ctm->divided ? dlpi_divided_arena(ctm) : V,
                                       &ctm->shared, error));
    if (ctm->divided) DLP_TRY(dlpi_divided_alloc(ctm, error));
    DLP_TRY(dlpi_ctm_prior_alloc(ctm, covariates, error));
    if (ctm->method == &dlpi_ctm_dirichlet) DLP_TRY(dlpi_dirichlet_alloc(ctm, error));
    DLP_TRY(alloc_sums(ctm, error));
    DLP_TRY(alloc_documents(ctm, error));
    DLP_TRY(take_fixed(ctm, error));
    const dlp_index stride = ctm->shared.stride;
    if (ctm->slices) DLP_TRY(dlpi_slices_reserve(ctm->slices, stride, error));
    DLP_TRY(dlpi_scratch_alloc(dlpi_size(D, K, 0), ctm->folder, &ctm->means, error));
    ctm->mu = ctm->means.x;
    ctm->e = dlpi_calloc(dlpi_size(block, stride, 0), sizeof *ctm->e);
    ctm->trace = dlpi_calloc(ctm->settings.max_iter, sizeof *ctm->trace);
    if (!ctm->e || !ctm->trace) return dlpi_no_memory(error, "the topic model");
    ctm->result =
        (dlp_topics_result){.outcome = DLP_RUNNING, .mu = ctm->mu, .trace = ctm->trace};
    return ctm->settings.start ? dlpi_ctm_check_start(ctm, ctm->settings.start, error)
                               : DLP_OK;
}

/* The documents of this process. */
static dlp_status take_documents(dlp_ctm *ctm, const dlp_corpus *corpus,
                                 const dlp_covariates *covariates, dlp_error *error)
{
    dlp_topics_settings *s = &ctm->settings;
    DLP_TRY(dlpi_ctm_share_take(ctm, corpus, s, error));
    if (s->online > 0 && covariates)
        return dlp_fail(error, DLP_EINVAL,
                        "passes by minibatches are for topics without covariates");
    if (s->content_groups > 0) { /* slices, except in the M step */
        DLP_TRY(dlpi_content_check(corpus, s, error));
        s->slices = s->content_groups;
        s->slice = s->content_group;
    }
    if (s->slices > 0) DLP_TRY(dlpi_slices_alloc(corpus, s, &ctm->slices, error));
    ctm->corpus = ctm->slices ? dlpi_slices_corpus(ctm->slices) : corpus;
    return DLP_OK;
}

/* Processes agree here before they ask each other how much memory each has. */
static dlp_status build(dlp_ctm *ctm, const dlp_corpus *corpus,
                        const dlp_covariates *covariates, dlp_error *error)
{
    DLP_TRY(dlpi_ctm_agree(ctm, take_documents(ctm, corpus, covariates, error), error));
    return allocate(ctm, covariates, error);
}

/* The caller's strings need not outlive the call. */
static dlp_status make(const dlp_corpus *corpus, dlp_topics_settings *s, dlp_ctm **ctm,
                       dlp_error *error)
{
    DLP_TRY(check_settings(corpus, s, error));
    dlp_ctm *made = dlpi_calloc(1, sizeof *made);
    if (!made) return dlpi_no_memory(error, "the topic model");
    made->method = dlpi_ctm_method_find(s->method);
    s->method = made->method->name;
    (void)dlpi_ctm_init_find(s->init, &made->init); /* spectral if there is a start */
    s->init = dlp_topics_init((int)made->init);
    if (s->processes && s->threads == 0) s->threads = dlp_processes_threads(s->processes);
    s->threads = dlpi_threads(s->threads);
    made->settings = *s;
    made->listener.call = s->progress;
    made->listener.context = s->context;
    made->share.alone = dlpi_comm_serial();
    made->share.comm =
        s->processes ? dlpi_processes_comm(s->processes) : &made->share.alone;
    *ctm = made;
    return DLP_OK;
}

dlp_status dlp_ctm_alloc(const dlp_corpus *corpus, const dlp_covariates *covariates,
                         const dlp_topics_settings *settings, dlp_ctm **ctm,
                         dlp_error *error)
{
    *ctm = NULL;
    dlp_topics_settings s = defaults;
    DLP_TRY(dlpi_settings_take(&s, sizeof s, settings, error));
    dlp_ctm *made = NULL;
    dlp_status status = make(corpus, &s, &made, error);
    if (s.processes) status = dlp_processes_agree(s.processes, status, error);
    if (status == DLP_OK && made) {
        status = build(made, corpus, covariates, error);
        if (s.processes) status = dlp_processes_agree(s.processes, status, error);
    }
    if (status != DLP_OK) {
        dlp_ctm_free(made);
        return status;
    }
    *ctm = made;
    return DLP_OK;
}

void dlp_ctm_free(dlp_ctm *ctm)
{
    if (!ctm) return;
    for (int t = 0; ctm->doc && t < ctm->settings.threads; t++)
        dlpi_ctm_document_free(&ctm->doc[t]);
    free(ctm->doc);
    free(ctm->occurs);
    dlpi_block_free(&ctm->block);
    dlpi_ctm_shared_free(&ctm->shared);
    dlpi_ctm_prior_free(ctm);
    dlpi_scratch_free(&ctm->means);
    dlpi_tree_free(&ctm->tree);
    free(ctm->e);
    free(ctm->chunk);
    free(ctm->sums_block);
    free(ctm->term_sums);
    free(ctm->trace);
    free(ctm->fixed);
    dlpi_slices_free(ctm->slices);
    dlpi_dirichlet_free(ctm->dirichlet);
    dlpi_ctm_kept_free(ctm->kept);
    dlpi_divided_free(ctm->divided);
    free(ctm);
}
