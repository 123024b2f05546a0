/* SPDX-License-Identifier: BSD-3-Clause */
/* A fit of topics before it starts: its settings, and all memory that it needs. */
#include "core/core.h"
#include "core/settings.h"
#include "core/threads.h"
#include "corpus/formats/mapped.h"
#include "math/symmetric/structure.h"
#include "topics/ctm/ctm_average.h"
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
    DLP_TRY(dlpi_average_check(s, error));
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
    DLP_TRY(dlpi_average_alloc(ctm, pairs, error));
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
    dlpi_average_free(ctm->average);
    dlpi_divided_free(ctm->divided);
    free(ctm);
}
