/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The links of ordinal regressions: the distribution F behind p(y <= j) = F(c_j - eta).
 * The likelihood of a row depends on one or two numbers: t = c - eta at the cut point
 * below its level (for the first level: above it), and delta, the logarithm of the
 * distance to the next cut point. Internal.
 */
#ifndef DLPI_GLM_ORDINAL_LINK_H
#define DLPI_GLM_ORDINAL_LINK_H

#include <delaplace/status.h>

/* Derivatives by t and by delta (d). Those by delta are 0 where the likelihood does not
   depend on it. */
typedef struct dlpi_level_slopes {
    double t, tt, ttt;
    double d, dd, ddd;
    double td, ttd, tdd;
} dlpi_level_slopes;

typedef struct dlpi_ordinal_link {
    const char *name;
    /* log F(t), log(1 - F(t)) and log(F(t + exp delta) - F(t)). */
    double (*below)(double t, dlpi_level_slopes *slopes);
    double (*above)(double t, dlpi_level_slopes *slopes);
    double (*between)(double t, double delta, dlpi_level_slopes *slopes);
    /* F(u) and 1 - F(u) of n numbers; and F'(t) */
    void (*sides)(dlp_index n, const double *u, double *below, double *above);
    double (*density)(double t);
} dlpi_ordinal_link;

extern const dlpi_ordinal_link dlpi_ordinal_logit, dlpi_ordinal_probit,
    dlpi_ordinal_cloglog;

/* The cut point c in t = c - eta for level y. */
static inline dlp_index dlpi_cut_of_level(dlp_index y)
{
    return y > 0 ? y - 1 : 0;
}

/* log p(y) for one of `levels` levels. delta is the logarithm of the gap above the cut
   point; the first and the last level have none. */
double dlpi_log_level(const dlpi_ordinal_link *link, dlp_index y, dlp_index levels,
                      double t, double delta, dlpi_level_slopes *slopes);

#endif
