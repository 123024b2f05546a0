/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows taken out of the posterior of their group. */
#include "core/core.h"
#include "regression/look/look.h"

static double *from(double *column, dlp_index row)
{
    return column ? column + row : NULL;
}

static dlp_status leave_out(const dlp_prediction *p, dlp_index m, bool as_new,
                            const dlpi_left_out *out, const double **x, dlp_sym *Sigma,
                            dlp_error *error)
{
    const dlp_regression_result *r = &p->regression->result;
    const dlp_index at = p->rows.begin[m], n = p->rows.count[m];
    const double *mu;
    if (n == 0) return DLP_OK;
    dlpi_load_posterior(r, m, &mu, Sigma);
    const dlp_glm_data data = dlpi_part_of_group(&p->rows, m, 0, n, x);
    const dlpi_added added =
        dlpi_added_from(&p->added, at, dlpi_predictors(r), data.levels);
    const dlpi_left_out to = {.below = from(out->below, at),
                              .up_to = from(out->up_to, at),
                              .leverage = from(out->leverage, at),
                              .elpd = from(out->elpd, at),
                              .seen = from(out->seen, at),
                              .k = from(out->k, at),
                              .kept = out->kept + at};
    return dlpi_left_out_rows(dlpi_family_of(r->family, r->link_kind), &data, mu, Sigma,
                              &added, as_new, &to, error);
}

dlp_status dlpi_left_out_groups(const dlp_prediction *p, bool as_new,
                                const dlpi_left_out *out, dlp_error *error)
{
    dlp_sym Sigma = {0};
    const double **x = dlpi_calloc(p->data.p, sizeof *x);
    dlp_status status =
        x ? dlp_sym_alloc(dlp_shape_dense(p->regression->result.n), &Sigma, error)
          : dlpi_no_memory(error, "the rows");
    for (dlp_index m = 0; m < p->rows.n && status == DLP_OK; m++)
        status = leave_out(p, m, as_new, out, x, &Sigma, error);
    free(x);
    dlp_sym_free(&Sigma);
    return status;
}
