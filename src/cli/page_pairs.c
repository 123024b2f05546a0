/* SPDX-License-Identifier: BSD-3-Clause */
/* Which topics go together, and how sure that is, for a report. */
#include "cli/page.h"
#include "cli/topics_pairs.h"

#include <stdlib.h>

typedef struct pairs {
    dlp_index K, D;
    const double *R, *rho;
} pairs;

static int add_pair(const pairs *p, dlp_index i, dlp_index j, json_t *list)
{
    const double scale = 1000, r = p->R[i * p->K + j];
    const cli_interval ends = cli_topics_pair_interval(r, p->rho[i], p->rho[j], p->D);
    return json_array_append_new(list, cli_page_rounded(r, scale)) |
           json_array_append_new(list, cli_page_rounded(ends.lower, scale)) |
           json_array_append_new(list, cli_page_rounded(ends.upper, scale));
}

json_t *cli_page_pairs(const cli_topics_folder *folder, const double *R,
                       const dlp_covariates *X)
{
    double *rho = cli_topics_reliabilities(folder, X);
    const pairs p = {folder->topics.K, folder->D, R, rho};
    json_t *list = rho ? json_array() : NULL;
    bool failed = !list;
    for (dlp_index i = 0; i < p.K && !failed; i++)
        for (dlp_index j = i + 1; j < p.K && !failed; j++)
            failed = add_pair(&p, i, j, list) != 0;
    free(rho);
    if (!failed) return list;
    json_decref(list);
    return NULL;
}
