/* SPDX-License-Identifier: BSD-3-Clause */
#include "glm/families/ordinal_rows.h"

static double level_at(const dlpi_ordinal_link *link, const dlpi_rows *r, dlp_index y,
                       double t, dlpi_level_slopes *s)
{
    const bool between = y > 0 && y < r->levels - 1;
    return dlpi_log_level(link, y, r->levels, t, between ? r->gap[y - 1] : 0, s);
}

/* The fourth derivative, by differences of the third. It only decides how many nodes an
   integral gets. */
static double fourth(const dlpi_ordinal_link *link, const dlpi_rows *r, dlp_index y,
                     double t)
{
    const double apart = 1e-3;
    dlpi_level_slopes up, down;
    (void)level_at(link, r, y, t + apart, &up);
    (void)level_at(link, r, y, t - apart, &down);
    return (up.ttt - down.ttt) / (2 * apart);
}

/* By eta = c - t: every other derivative changes its sign. */
static void evaluate(const dlpi_ordinal_link *link, dlpi_rows *r, int order)
{
    for (dlp_index i = 0; i < r->n; i++) {
        const dlp_index y = (dlp_index)r->y[i];
        const double t = r->cut[dlpi_cut_of_level(y)] - r->eta[i];
        dlpi_level_slopes s;
        r->l[i] = level_at(link, r, y, t, &s);
        r->l_e[i] = -s.t;
        r->l_ee[i] = s.tt;
        r->l_eee[i] = -s.ttt;
        if (order >= 4) r->l_eeee[i] = fourth(link, r, y, t);
    }
}

void dlpi_ordinal_logit_rows(dlpi_rows *r, double tau, int order)
{
    (void)tau;
    evaluate(&dlpi_ordinal_logit, r, order);
}

void dlpi_ordinal_probit_rows(dlpi_rows *r, double tau, int order)
{
    (void)tau;
    evaluate(&dlpi_ordinal_probit, r, order);
}

void dlpi_ordinal_cloglog_rows(dlpi_rows *r, double tau, int order)
{
    (void)tau;
    evaluate(&dlpi_ordinal_cloglog, r, order);
}
