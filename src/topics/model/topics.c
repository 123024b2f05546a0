/* SPDX-License-Identifier: BSD-3-Clause */
/* A fitted topic model, and how its documents are to be read. */
#include "core/core.h"
#include "math/dense.h"
#include "math/symmetric/structure.h"
#include "topics/ctm/ctm.h"

#include <math.h>
#include <string.h>

dlp_status dlp_topics_alloc(dlp_index K, dlp_index V, dlp_index p, dlp_topics *topics,
                            dlp_error *error)
{
    *topics = (dlp_topics){.K = K, .V = V, .p = p};
    topics->beta = dlpi_calloc(dlpi_size(K, V, 0), sizeof *topics->beta);
    topics->Gamma = dlpi_calloc(dlpi_size(p, K, 0), sizeof *topics->Gamma);
    topics->Sigma0 = dlpi_calloc(dlpi_size(K, K, 0), sizeof *topics->Sigma0);
    if (topics->beta && topics->Gamma && topics->Sigma0) return DLP_OK;
    dlp_topics_free(topics);
    return dlpi_no_memory(error, "the topics");
}

void dlp_topics_free(dlp_topics *topics)
{
    free(topics->beta);
    free(topics->Gamma);
    free(topics->Sigma0);
    *topics = (dlp_topics){0};
}

static dlp_status check_beta(const dlp_topics *topics, dlp_error *error)
{
    for (dlp_index k = 0; k < topics->K; k++) {
        double sum = 0;
        for (dlp_index v = 0; v < topics->V; v++) {
            const double b = topics->beta[k * topics->V + v];
            if (!(b >= 0 && b <= 1))
                return dlp_fail(error, DLP_EINPUT,
                                "topic %td gives term %td the probability %g; it must be "
                                "0 to 1",
                                k + 1, v + 1, b);
            sum += b;
        }
        if (!(fabs(sum - 1) <= 1e-6))
            return dlp_fail(error, DLP_EINPUT,
                            "the probabilities of topic %td sum to %.9g, not to 1", k + 1,
                            sum);
    }
    return DLP_OK;
}

static dlp_status check_sigma0(const dlp_topics *topics, dlp_error *error)
{
    const dlp_index K = topics->K;
    double *U = dlpi_calloc(dlpi_size(K, K, 0), sizeof *U);
    if (!U) return dlpi_no_memory(error, "the check of a topic model");
    memcpy(U, topics->Sigma0, (size_t)(K * K) * sizeof *U);
    const dlp_index failed = dlpi_cholesky(K, U);
    free(U);
    if (failed < 0) return DLP_OK;
    return dlp_fail(error, DLP_EINPUT,
                    "the covariance of the topics is not positive definite, from topic "
                    "%td on",
                    failed + 1);
}

dlp_status dlp_topics_check(const dlp_topics *topics, dlp_error *error)
{
    const dlp_index K = topics->K;
    if (K < 1 || topics->V < 1 || topics->p < 1)
        return dlp_fail(error, DLP_EINPUT, "a topic model has topics, terms and a mean");
    DLP_TRY(check_beta(topics, error));
    for (dlp_index i = 0; i < topics->p * K; i++)
        if (!isfinite(topics->Gamma[i]))
            return dlp_fail(error, DLP_EINPUT, "the prior mean is not finite");
    for (dlp_index i = 0; i < K; i++)
        for (dlp_index j = 0; j < K; j++) {
            const double a = topics->Sigma0[i * K + j], b = topics->Sigma0[j * K + i];
            if (!(fabs(a - b) <= 1e-9 * (1 + fabs(a))))
                return dlp_fail(error, DLP_EINPUT,
                                "the covariance of topics %td and %td is %g one way and "
                                "%g the other",
                                i + 1, j + 1, a, b);
        }
    return check_sigma0(topics, error);
}

dlp_status dlpi_ctm_check_covariates(const dlp_covariates *c, dlp_index D, dlp_index p,
                                     dlp_error *error)
{
    const double most = 1e100;
    if (c->D != D || c->p != p)
        return dlp_fail(
            error, DLP_EINPUT,
            "there are %td covariates for %td documents; %td covariates for %td "
            "documents are needed, in the same order",
            c->p, c->D, p, D);
    for (dlp_index i = 0; i < D * p; i++)
        if (!(fabs(c->X[i]) <= most))
            return dlp_fail(error, DLP_EINPUT,
                            "covariate %td of document %td is %g; it must be a number of "
                            "at most %g",
                            i % p + 1, i / p + 1, c->X[i], most);
    return DLP_OK;
}

dlp_status dlpi_ctm_check_document_settings(const dlp_document_settings *s,
                                            dlp_error *error)
{
    const dlpi_ctm_method *method = dlpi_ctm_method_find(s->method);
    if (!method)
        return dlp_fail(
            error, DLP_EINVAL,
            "method %s is not known; it may be laplace, delta, blei-lafferty, "
            "previous-mean or dirichlet",
            s->method ? s->method : "NULL");
    if (s->plain && (method == &dlpi_ctm_blei_lafferty || method == &dlpi_ctm_dirichlet))
        return dlp_fail(error, DLP_EINVAL, "%s has only one route; leave out plain",
                        method->name);
    if (!(s->tol > 0) || s->max_iter < 1 || s->max_iter > 1000000)
        return dlp_fail(error, DLP_EINVAL,
                        "a document's tol must be positive, its max_iter 1 to 1000000");
    return DLP_OK;
}
