/* SPDX-License-Identifier: BSD-3-Clause */
/* What a mixed model says about the levels of its groupings. */
#include "glm/families/family.h"
#include "mixed/leaves/cubature.h"
#include "mixed/levels/softmax.h"
#include "regression/regression.h"

#include <delaplace/special.h>
#include <math.h>
#include <string.h>

/* ---- how they were found ---- */

enum { MOST_BY_QUADRATURE = DLPI_CUBATURE_EFFECTS };

/* As the fit chooses them (mixed/fit.c): the leaves are those of the term with the most
   levels, and quadrature is over up to eight effects (mixed/leaves/cubature.h). */
static dlp_index effects_of_leaf(const dlp_regression_result *r)
{
    dlp_index leaf = -1;
    bool alone = true;
    for (dlp_index t = 0; t < r->n_random; t++) {
        alone = alone && !r->random[t].process;
        if (!r->random[t].process &&
            (leaf < 0 || r->random[t].levels > r->random[leaf].levels))
            leaf = t;
    }
    if (leaf < 0 || (!alone && r->rows > 64 * r->random[leaf].levels)) return 0;
    return r->random[leaf].q;
}

dlp_effects_method dlp_regression_effects_method(const dlp_regression_result *r)
{
    if (dlpi_is_gaussian(r->family)) return DLP_EFFECTS_EXACT;
    const dlp_index q = effects_of_leaf(r),
                    most = dlpi_predictors(r) > 1
                               ? DLPI_SOFTMAX_EFFECTS / dlpi_predictors(r)
                               : MOST_BY_QUADRATURE;
    return q == 0 || q > most || r->method_kind == DLP_METHOD_LAPLACE
               ? DLP_EFFECTS_LAPLACE
               : DLP_EFFECTS_QUADRATURE;
}

/* ---- a level ---- */

static dlp_margin normal(double mean, double variance)
{
    const double sd = sqrt(fmax(variance, 0)), half = dlp_normal_quantile(0.975) * sd;
    return (dlp_margin){.mean = mean,
                        .sd = sd,
                        .lower = mean - half,
                        .median = mean,
                        .upper = mean + half};
}

static dlp_index find_column(const dlp_regression_result *r, const char *name)
{
    for (dlp_index j = 0; j < r->p; j++)
        if (!strcmp(r->column[j], name)) return j;
    return -1;
}

double dlp_random_effects_sd(const dlp_random_effects *effects, dlp_index level,
                             dlp_index k)
{
    const dlp_index q = effects->q;
    return sqrt(effects->variance[(level * q + k) * q + k]);
}

int dlp_random_effects_sizes(const dlp_random_effects *effects, dlp_level_sizes *sizes)
{
    const dlp_index *rows = effects->rows;
    dlp_index all = 0;
    if (!rows || effects->levels < 1) return 0;
    *sizes = (dlp_level_sizes){.least = rows[0], .most = rows[0]};
    for (dlp_index l = 0; l < effects->levels; l++) {
        if (rows[l] < sizes->least) sizes->least = rows[l];
        if (rows[l] > sizes->most) sizes->most = rows[l];
        all += rows[l];
    }
    sizes->mean = (double)all / (double)effects->levels;
    return 1;
}

void dlp_regression_level(const dlp_regression *regression, dlp_index t, dlp_index level,
                          dlp_level_effect *effect)
{
    const dlp_regression_result *r = &regression->result;
    const dlp_random_effects *of = &r->random[t];
    const dlp_index q = of->q, wide = dlpi_effects_width(r),
                    first = t % dlpi_predictors(r) * r->p; /* of its predictor */
    for (dlp_index k = 0; k < q; k++) {
        const double b = of->mean[level * q + k],
                     V = of->variance[(level * q + k) * q + k];
        const dlp_index j = find_column(r, of->name[k]);
        effect[k] = (dlp_level_effect){.name = of->name[k],
                                       .category = of->category,
                                       .effect = normal(b, V),
                                       .column = j,
                                       .own = normal(b, V)};
        if (j < 0) continue;
        /* Var[beta + b] = Var[beta] + Var[b] + 2 Cov[beta, b] */
        const dlp_index i = first + j;
        const double both = of->with_beta[(level * q + k) * wide + i];
        effect[k].own = normal(r->mu[i] + b, r->Sigma[i * (r->n + 1)] + V + 2 * both);
    }
}

/* ---- levels numbered over all terms ---- */

int dlp_regression_level_at(const dlp_regression *regression, dlp_index m,
                            dlp_index *grouping, dlp_index *level)
{
    const dlp_regression_result *r = &regression->result;
    if (r->grouping != DLP_MIXED || m < 0) return 0;
    for (*grouping = 0; *grouping < r->terms->n_groupings; ++*grouping) {
        *level = m;
        m -= r->terms->grouping[*grouping].n;
        if (m < 0) return 1;
    }
    return 0;
}

static dlp_index find_name(const dlp_levels *levels, const char *name)
{
    for (dlp_index l = 0; l < levels->n; l++)
        if (!strcmp(levels->level[l], name)) return l;
    return -1;
}

dlp_index dlp_regression_find_level(const dlp_regression *regression,
                                    const char *grouping, const char *name)
{
    const dlp_regression_result *r = &regression->result;
    dlp_index found = -1, before = 0;
    if (r->grouping != DLP_MIXED) return -1;
    for (dlp_index i = 0; i < r->terms->n_groupings; i++) {
        const dlp_levels *levels = &r->terms->grouping[i];
        const bool asked = !grouping || !strcmp(levels->variable, grouping);
        const dlp_index l = asked ? find_name(levels, name) : -1;
        if (l >= 0 && found >= 0) return -2;
        if (l >= 0) found = before + l;
        before += levels->n;
    }
    return found;
}
