/* SPDX-License-Identifier: BSD-3-Clause */
/* What a contrast may name: coefficients, which are linear in the parameters; scales and
   cut points, which are functions of them; and the sds and correlations of a mixed model,
   by their margins. */
#include "core/core.h"
#include "core/text.h"
#include "math/symmetric/structure.h"
#include "regression/draw/draws.h"
#include "regression/questions/contrast.h"
#include "regression/written.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 1024 };

/* ---- blocks ---- */

/* The mean of groups is block 0 of a hierarchy, before its groups. */
dlp_status dlpi_contrast_blocks(dlpi_question *q, dlp_error *error)
{
    const dlp_regression_result *r = q->r;
    const dlp_index n = r->n, M = r->M, nn = n * n;
    if (!dlpi_is_grouped(r->grouping)) return DLP_OK;
    const dlp_index mean = r->mu0 ? 1 : 0, B = M + mean;
    double *mu = dlpi_pool_take(&q->scratch, dlpi_size(B, n, 0), sizeof *mu);
    double *Sigma = dlpi_pool_take(&q->scratch, dlpi_size(B, nn, 0), sizeof *Sigma);
    if (!mu || !Sigma) return dlpi_no_memory(error, "the groups");
    if (mean) {
        memcpy(mu, r->mu0, (size_t)n * sizeof *mu);
        memcpy(Sigma, r->mu0_covariance, (size_t)nn * sizeof *Sigma);
    }
    memcpy(mu + mean * n, r->mu, (size_t)(M * n) * sizeof *mu);
    memcpy(Sigma + mean * nn, r->Sigma, (size_t)(M * nn) * sizeof *Sigma);
    q->post.B = B;
    q->post.mu = mu;
    q->post.Sigma = Sigma;
    q->post.spread = q->post.pull = NULL;
    const double numbers = (double)B * (double)n * (double)q->post.S;
    if (numbers > 2e7) q->post.S = (dlp_index)(2e7 / ((double)B * (double)n)) / 2 * 2;
    if (q->post.S < 256) q->post.S = 256;
    return DLP_OK;
}

/* ---- names ---- */

static dlp_status add_block(const dlpi_question *q, dlp_index b, dlp_index whose,
                            const char *group, dlpi_contrast_names *names,
                            dlp_error *error)
{
    const dlp_index n = q->r->n;
    const dlp_margin *cuts = dlpi_normal_cuts(q->r, names->pool);
    dlp_parameter *all = dlpi_calloc(n, sizeof *all);
    dlp_status status = all ? dlp_regression_parameters(q->of, whose, all, error)
                            : dlpi_no_memory(error, "the parameters");
    for (dlp_index i = 0; status == DLP_OK && i < n; i++) {
        char name[NAME], whole[2 * NAME];
        dlp_parameter_name(&all[i], name, sizeof name);
        snprintf(whole, sizeof whole, group ? "%s[%s]" : "%s", name, group);
        dlpi_contrast_name *out = &names->name[names->n++];
        out->text = dlpi_pool_copy(names->pool, whole, strlen(whole));
        out->block = b;
        out->index = i;
        out->kind = all[i].kind;
        if (out->kind == DLP_CUT_POINT) out->cuts = cuts;
        if (!out->text) status = dlpi_no_memory(error, "the parameters");
    }
    free(all);
    return status;
}

/* Sds and correlations of a mixed model, under the names that draws have. */
static dlp_status add_margins(dlpi_question *q, dlpi_contrast_names *names,
                              dlp_error *error)
{
    dlp_draws_settings settings = dlp_draws_settings_default();
    settings.n = q->post.S;
    settings.seed = q->s.seed;
    DLP_TRY(dlp_regression_draw(q->of, &settings, &names->draws, error));
    const dlp_index more = names->draws->columns - q->r->n;
    dlpi_contrast_name *all =
        dlpi_pool_take(names->pool, names->n + more, sizeof *names->name);
    if (!all) return dlpi_no_memory(error, "the parameters");
    memcpy(all, names->name, (size_t)names->n * sizeof *all);
    for (dlp_index i = 0; i < more; i++)
        all[names->n + i] = (dlpi_contrast_name){.text = names->draws->name[q->r->n + i],
                                                 .draw = names->draws->value +
                                                         (q->r->n + i) * names->draws->n};
    names->name = all;
    names->n += more;
    return DLP_OK;
}

dlp_status dlpi_contrast_names_make(dlpi_question *q, dlpi_contrast_names *names,
                                    dlp_error *error)
{
    const dlp_regression_result *r = q->r;
    const bool grouped = dlpi_is_grouped(r->grouping);
    const dlp_index mean = grouped && r->mu0 ? 1 : 0;
    *names = (dlpi_contrast_names){.pool = &q->scratch};
    names->name =
        dlpi_pool_take(names->pool, dlpi_size(q->post.B, r->n, 0), sizeof *names->name);
    if (!names->name) return dlpi_no_memory(error, "the parameters");
    if (mean) DLP_TRY(add_block(q, 0, DLP_MEAN_OF_GROUPS, NULL, names, error));
    for (dlp_index m = 0; m < r->M; m++)
        DLP_TRY(add_block(q, m + mean, m, grouped ? dlp_regression_group(q->of, m) : NULL,
                          names, error));
    return r->grouping == DLP_MIXED ? add_margins(q, names, error) : DLP_OK;
}

/* ---- values ---- */

/* exp(tau), or the cut point that increments lead to. */
static double natural(const dlpi_question *q, const dlpi_contrast_name *name,
                      const double *theta)
{
    const dlp_regression_result *r = q->r;
    const dlp_index i = name->index;
    if (name->cuts) return dlpi_cut_at(r, name->cuts, i - r->p, theta);
    if (r->margin) {
        const double sd = sqrt(r->Sigma[i * (r->n + 1)]);
        const double z = sd > 0 ? (theta[i] - r->mu[i]) / sd : 0;
        return name->kind == DLP_SCALE ? dlpi_positive_at(&r->margin[i], z)
                                       : dlpi_margin_at(&r->margin[i], z);
    }
    if (name->kind == DLP_SCALE) return exp(theta[i]);
    double cut = theta[r->p];
    for (dlp_index j = r->p + 1; j <= i; j++) cut += exp(theta[j]);
    return cut;
}

dlp_status dlpi_contrast_value_of(dlpi_question *q, const dlpi_contrast_name *name,
                                  dlpi_contrast_value *out, dlp_error *error)
{
    dlpi_question_posterior *p = &q->post;
    *out = (dlpi_contrast_value){.constant = 0};
    if (!name->draw && name->kind == DLP_COEFFICIENT) {
        double *a = dlpi_pool_take(&q->scratch, p->B * p->n, sizeof *a);
        if (!a) return dlpi_no_memory(error, "the contrasts");
        dlpi_written_weights(q->r, name->index, a + name->block * p->n);
        out->a = a;
        return DLP_OK;
    }
    DLP_TRY(dlpi_question_draw(q, error));
    double *draw = dlpi_pool_take(&q->scratch, p->S, sizeof *draw);
    if (!draw) return dlpi_no_memory(error, "the contrasts");
    for (dlp_index s = 0; s < p->S; s++)
        draw[s] = name->draw
                      ? name->draw[s]
                      : natural(q, name, p->theta + (name->block * p->S + s) * p->n);
    out->draw = draw;
    return DLP_OK;
}
