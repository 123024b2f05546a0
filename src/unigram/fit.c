/* SPDX-License-Identifier: BSD-3-Clause */
/* A fit of the language model: from a corpus to the results that users ask for. */
#include "unigram/fit.h"

#include "core/memory.h"
#include "core/settings.h"

#include <delaplace/special.h>
#include <math.h>
#include <string.h>

void dlp_unigram_fit_free(dlp_unigram_fit *fit)
{
    if (!fit) return;
    dlp_fit_free(fit->engine);
    dlp_unigram_free(fit->model);
    dlpi_pool_free(&fit->pool);
    free(fit);
}

/* ---- fitting ---- */

static dlp_status copy_names(const dlp_corpus *corpus, dlp_unigram_fit *fit,
                             dlp_error *error)
{
    if (!corpus->vocab) return DLP_OK;
    fit->term = dlpi_pool_take(&fit->pool, corpus->V, sizeof *fit->term);
    bool ok = fit->term != NULL;
    for (dlp_index v = 0; v < corpus->V && ok; v++) {
        const char *name = corpus->vocab[v];
        fit->term[v] = dlpi_pool_copy(&fit->pool, name, strlen(name));
        ok = fit->term[v] != NULL;
    }
    return ok ? DLP_OK : dlpi_no_memory(error, "the terms of the fit");
}

static dlp_status make_room(const dlp_corpus *corpus, dlp_unigram_fit *fit,
                            dlp_error *error)
{
    fit->sd = dlpi_pool_take(&fit->pool, corpus->V, sizeof *fit->sd);
    fit->sd_given_z = dlpi_pool_take(&fit->pool, corpus->V, sizeof *fit->sd_given_z);
    if (!fit->sd || !fit->sd_given_z)
        return dlpi_no_memory(error, "the result of the fit");
    return copy_names(corpus, fit, error);
}

static double concentration_of(const dlp_unigram_fit *fit)
{
    const double *dirichlet = dlp_unigram_dirichlet(fit->model);
    double sum = 0;
    for (dlp_index v = 0; v < fit->result.V; v++) sum += dirichlet[v];
    return sum;
}

static void conclude(dlp_unigram_fit *fit)
{
    dlp_unigram_result *r = &fit->result;
    r->engine = dlp_fit_result(fit->engine);
    r->objective_per_word = r->words ? r->engine->objective / (double)r->words : NAN;
    r->concentration = concentration_of(fit);
    dlp_fit_sd(fit->engine, fit->sd_given_z);
    r->z_summed_out = dlp_fit_marginal_sd(fit->engine, fit->sd);
}

/* Each pair of a document and a term is of one term at most. */
int dlp_unigram_is_slowed(const dlp_corpus *corpus)
{
    enum { MANY = 20000, FEW = 16 };
    return corpus->V >= MANY && corpus->V / FEW > corpus->nnz;
}

/* Returns the name in the library's list: the one in the settings may be freed before the
   fit is. */
static const char *method_named(const char *name)
{
    for (int i = 0; dlp_method_name(i); i++)
        if (!strcmp(dlp_method_name(i), name)) return dlp_method_name(i);
    return NULL;
}

static dlp_status run(const dlp_corpus *corpus, const dlp_settings *settings,
                      dlp_unigram_fit *fit, dlp_error *error)
{
    const double each = 2000; /* bytes per term, as measured */
    DLP_TRY(
        dlpi_advise(error, DLP_REMEDY_RARE_TERMS,
                    dlpi_memory_check(each * (double)corpus->V, "a fit of so many terms",
                                      "drop rare terms", error)));
    DLP_TRY(dlp_unigram_alloc(corpus, &fit->model, error));
    const dlp_model model = dlp_unigram_model(fit->model);
    DLP_TRY(make_room(corpus, fit, error));
    DLP_TRY(dlp_fit_alloc(&model, settings, &fit->engine, error));
    DLP_TRY(dlp_fit_run(fit->engine, NULL, error));
    fit->result = (dlp_unigram_result){.D = corpus->D,
                                       .V = corpus->V,
                                       .words = corpus->words,
                                       .method = method_named(settings->method),
                                       .diagonal = settings->diagonal != 0,
                                       .plain = settings->plain != 0,
                                       .tol = settings->tol,
                                       .max_iter = settings->max_iter};
    conclude(fit);
    return DLP_OK;
}

dlp_status dlp_unigram_fit_run(const dlp_corpus *corpus, const dlp_settings *settings,
                               dlp_unigram_fit **fit, dlp_error *error)
{
    dlp_settings s = dlp_settings_default();
    if (fit) *fit = NULL;
    if (!corpus || !fit)
        return dlp_fail(error, DLP_EINVAL,
                        "dlp_unigram_fit_run: needs a corpus, and room for the fit");
    DLP_TRY(dlpi_settings_take(&s, sizeof s, settings, error));
    dlp_unigram_fit *made = dlpi_calloc(1, sizeof *made);
    if (!made) return dlpi_no_memory(error, "the fit");
    const dlp_status status = run(corpus, &s, made, error);
    if (status == DLP_OK)
        *fit = made;
    else
        dlp_unigram_fit_free(made);
    return status;
}

/* ---- results ---- */

const dlp_unigram_result *dlp_unigram_fit_result(const dlp_unigram_fit *fit)
{
    return &fit->result;
}

dlp_unigram_term dlp_unigram_fit_term(const dlp_unigram_fit *fit, dlp_index v)
{
    const double mean = fit->result.engine->mu[v], sd = fit->sd[v];
    const double half = dlp_normal_quantile(0.975) * sd;
    const double parameter = exp(mean + sd * sd / 2);
    return (dlp_unigram_term){
        .name = fit->term ? fit->term[v] : NULL,
        .mean = mean,
        .sd = sd,
        .lower = mean - half,
        .upper = mean + half,
        .sd_given_z = fit->sd_given_z[v],
        .dirichlet = dlp_unigram_dirichlet(fit->model)[v],
        .parameter = parameter,
        .parameter_sd = parameter * sqrt(expm1(sd * sd)),
        .parameter_lower = exp(mean - half),
        .parameter_upper = exp(mean + half),
    };
}

typedef struct ranked {
    double parameter;
    dlp_index term;
} ranked;

static int by_parameter(const void *a, const void *b)
{
    const ranked *left = a, *right = b;
    if (left->parameter != right->parameter)
        return left->parameter > right->parameter ? -1 : 1;
    return left->term < right->term ? -1 : 1;
}

dlp_status dlp_unigram_fit_rank(const dlp_unigram_fit *fit, dlp_index *order,
                                dlp_error *error)
{
    const dlp_index V = fit->result.V;
    const double *dirichlet = dlp_unigram_dirichlet(fit->model);
    ranked *all = dlpi_calloc(V, sizeof *all);
    if (!all) return dlpi_no_memory(error, "the order of the terms");
    for (dlp_index v = 0; v < V; v++) all[v] = (ranked){dirichlet[v], v};
    qsort(all, (size_t)V, sizeof *all, by_parameter);
    for (dlp_index v = 0; v < V; v++) order[v] = all[v].term;
    free(all);
    return DLP_OK;
}
