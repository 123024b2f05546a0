/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The fast route to q(theta) of a document. Figure 1 alternates between q(theta) and
 * q(z); where it ends, mu is a stationary point of the objective in which q(z), and for
 * the delta method Sigma, have their optimal values. We maximise that objective directly,
 * by L-BFGS in a metric near the curvature with z integrated out.
 */
#include "topics/ctm/ctm.h"

#include "math/dense.h"

#include <math.h>
#include <string.h>

/* -N log sum_k exp theta_k; adds its gradient -N pi */
static double log_normaliser(dlpi_ctm_document *doc, double *grad)
{
    for (dlp_index k = 0; grad && k < doc->shared->K; k++) grad[k] -= doc->N * doc->pi[k];
    return -doc->N * (doc->max + log(doc->sum_e));
}

static double laplace_spread(dlpi_ctm_document *doc, const double *theta, double *grad)
{
    (void)theta;
    return log_normaliser(doc, grad);
}

/* Factors the curvature, into doc->A. With z integrated out it may be negative between
   two topics that share a document's words; then the paper's is taken, which never is. */
static bool factor_curvature(dlpi_ctm_document *doc)
{
    if (doc->marginal) {
        dlpi_ctm_curvature_without_z(doc, doc->A);
        if (dlpi_cholesky(doc->shared->K, doc->A) < 0) return true;
    }
    dlpi_ctm_curvature(doc, doc->A);
    return dlpi_cholesky(doc->shared->K, doc->A) < 0;
}

/* Sigma = A^-1; the objective has -1/2 log|A|. With z integrated out it is Laplace's
   approximation of log p(x_d). */
static double laplace_finish(dlpi_ctm_document *doc)
{
    const dlp_index K = doc->shared->K;
    if (!factor_curvature(doc)) return NAN;
    dlpi_cholesky_inverse(K, doc->A, doc->work, doc->Sigma);
    return -0.5 * dlpi_cholesky_log_det(K, doc->A);
}

const dlpi_ctm_method dlpi_ctm_laplace = {
    .name = "laplace",
    .kind = DLP_TOPICS_LAPLACE,
    .spread = laplace_spread,
    .finish = laplace_finish,
    .full = true,
};

/* Ahmed and Xing (2007): f is expanded at the mean of the last iteration, which is a
   Newton step from there without a look at where it leads. It ends where Laplace's method
   ends, or nowhere. */
const dlpi_ctm_method dlpi_ctm_previous_mean = {
    .name = "previous-mean",
    .kind = DLP_TOPICS_PREVIOUS_MEAN,
    .spread = laplace_spread,
    .finish = laplace_finish,
    .full = true,
    .by_engine = true,
};

/* a_k = P0_kk + N pi_k (1 - pi_k), the diagonal of -hess f */
static double diagonal_curvature(const dlpi_ctm_document *doc, dlp_index k)
{
    const double P0_kk = doc->shared->P0[k * (doc->shared->stride + 1)];
    return P0_kk + doc->N * doc->pi[k] * (1 - doc->pi[k]);
}

/* The delta method with Sigma diagonal, Sigma_kk = 1/a_k, adds -1/2 sum_k log a_k, with
   the gradient -N/2 pi_i [Sigma_ii (1-2 pi_i) - sum_k Sigma_kk pi_k (1-2 pi_k)]. */
static double delta_spread(dlpi_ctm_document *doc, const double *theta, double *grad)
{
    const dlp_index K = doc->shared->K;
    double *a = doc->spare, *log_a = a + K, *ones = log_a + K, *bend = ones + K;
    double shared = 0;
    (void)theta;
    for (dlp_index k = 0; k < K; k++) {
        a[k] = diagonal_curvature(doc, k);
        ones[k] = 1;
        bend[k] = (1 - 2 * doc->pi[k]) / a[k];
        shared += doc->pi[k] * bend[k];
    }
    for (dlp_index k = 0; grad && k < K; k++)
        grad[k] -= 0.5 * doc->N * doc->pi[k] * (bend[k] - shared);
    return log_normaliser(doc, grad) - 0.5 * dlpi_ctm_log_sum(K, ones, a, log_a);
}

static double delta_finish(dlpi_ctm_document *doc)
{
    const dlp_index K = doc->shared->K;
    for (dlp_index k = 0; k < K; k++)
        doc->Sigma[k * (K + 1)] = 1 / diagonal_curvature(doc, k);
    return 0;
}

const dlpi_ctm_method dlpi_ctm_delta = {
    .name = "delta",
    .kind = DLP_TOPICS_DELTA,
    .spread = delta_spread,
    .finish = delta_finish,
};

static const dlpi_ctm_method *const methods[] = {
    [DLP_TOPICS_LAPLACE] = &dlpi_ctm_laplace,
    [DLP_TOPICS_DELTA] = &dlpi_ctm_delta,
    [DLP_TOPICS_BLEI_LAFFERTY] = &dlpi_ctm_blei_lafferty,
    [DLP_TOPICS_PREVIOUS_MEAN] = &dlpi_ctm_previous_mean,
    [DLP_TOPICS_DIRICHLET] = &dlpi_ctm_dirichlet, /* another prior, not listed */
};
enum { METHODS = sizeof methods / sizeof *methods };

const char *dlp_topics_method(int i)
{
    return i >= 0 && i < DLP_TOPICS_DIRICHLET ? methods[i]->name : NULL;
}

const dlpi_ctm_method *dlpi_ctm_method_find(const char *name)
{
    for (int i = 0; name && i < METHODS; i++)
        if (!strcmp(methods[i]->name, name)) return methods[i];
    return NULL;
}

/* What the climb maximises, a dlp_function. */
double dlpi_ctm_objective(void *state, const double *theta, double *grad, dlp_sym *hess)
{
    dlpi_ctm_document *doc = state;
    (void)hess;
    double value = dlpi_ctm_words_and_prior(doc, theta, grad);
    if (isfinite(value)) value += doc->method->spread(doc, theta, grad);
    memcpy(doc->theta, theta, (size_t)doc->shared->K * sizeof *theta);
    doc->value = value;
    return value;
}

/* Steps that are taken in one metric. */
enum { METRIC_STEPS = 11 };

/* L-BFGS from mu, in a metric that is renewed every METRIC_STEPS steps. */
static dlp_outcome climb(dlpi_ctm_document *doc, double *mu)
{
    dlpi_optim *o = &doc->optim;
    const size_t size = (size_t)doc->shared->K * sizeof *mu;
    bool far = memcmp(mu, doc->mean, size) == 0; /* a start that has not seen the words */
    memcpy(o->at.x, mu, size);
    o->with_hess = false;
    dlpi_optim_evaluate(o);
    if (!dlpi_optim_finite(o)) return DLP_DIVERGED;
    dlp_outcome outcome = DLP_MAX_ITERATIONS;
    for (int used = 0; used < doc->max_iter && outcome == DLP_MAX_ITERATIONS;
         used += METRIC_STEPS) {
        if (memcmp(doc->theta, o->at.x, size) != 0)
            dlpi_ctm_objective(doc, o->at.x, NULL, NULL);
        dlpi_ctm_set_metric(doc, far);
        const int rest = doc->max_iter - used;
        outcome =
            dlpi_lbfgs(o, true, doc->tol, rest < METRIC_STEPS ? rest : METRIC_STEPS);
        far = false;
    }
    memcpy(mu, o->at.x, size);
    return outcome;
}

/* Figure 1 exactly, by the engine */
static dlp_outcome figure_1(dlpi_ctm_document *doc, double *mu)
{
    if (dlp_fit_run(doc->fit, mu, NULL) != DLP_OK) return DLP_DIVERGED;
    const dlp_result *r = dlp_fit_result(doc->fit);
    memcpy(mu, r->mu, (size_t)doc->shared->K * sizeof *mu);
    doc->optim.evaluations += r->evaluations;
    return r->outcome;
}

/* Sigma at mu, and the objective: with q(z) at its optimum, this is the objective that
   was climbed plus a constant. */
static bool finish(dlpi_ctm_document *doc, const double *mu)
{
    const dlp_index K = doc->shared->K;
    const size_t size = (size_t)K * sizeof *mu;
    if (doc->fit || memcmp(doc->theta, mu, size) != 0) /* else the climb ended there */
        dlpi_ctm_objective(doc, mu, NULL, NULL);
    if (doc->mean_only) return isfinite(doc->value);
    if (!doc->method->full) memset(doc->Sigma, 0, (size_t)K * size);
    doc->objective = doc->value + doc->method->finish(doc) - 0.5 * doc->shared->log_det;
    return isfinite(doc->objective);
}

void dlpi_ctm_infer(dlpi_ctm_document *doc, double *mu)
{
    if (doc->method == &dlpi_ctm_dirichlet) {
        dlpi_dirichlet_infer(doc, mu);
        return;
    }
    doc->outcome = doc->fit ? figure_1(doc, mu) : climb(doc, mu);
    if (finish(doc, mu)) return;
    /* f is finite at the prior mean, unless its topics differ by more than doubles can */
    memcpy(mu, doc->mean, (size_t)doc->shared->K * sizeof *mu);
    doc->outcome = DLP_DIVERGED;
    finish(doc, mu);
}

void dlpi_ctm_revisit(dlpi_ctm_document *doc, const double *mu)
{
    if (doc->method == &dlpi_ctm_dirichlet) {
        dlpi_dirichlet_revisit(doc, mu);
        return;
    }
    dlpi_ctm_objective(doc, mu, NULL, NULL);
    doc->outcome = finish(doc, mu) ? DLP_CONVERGED : DLP_DIVERGED;
}
