/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/glm/stand_in.h"

#include "cli/glm/columns.h"

/* Whether columns [first, first + n) are 0 but for one of them, which is 1, in each row. */
static bool are_levels(const dlp_glm_data *d, dlp_index first, dlp_index n)
{
    for (dlp_index i = 0; i < d->N; i++) {
        dlp_index ones = 0;
        for (dlp_index j = first; j < first + n; j++) {
            if (d->x[j][i] != 0 && d->x[j][i] != 1) return false;
            ones += d->x[j][i] == 1;
        }
        if (ones != 1) return false;
    }
    return true;
}

/* The columns of a term are neighbours. */
static cli_glm_stand_in find_factor(const dlp_glm_data *d, const dlp_design *design)
{
    const dlp_index *assign = design->assign + (design->p - d->p);
    dlp_index n;
    for (dlp_index first = 0; first < d->p; first += n) {
        for (n = 1; first + n < d->p && assign[first + n] == assign[first];) n++;
        if (are_levels(d, first, n)) return (cli_glm_stand_in){first, n, assign[first]};
    }
    return (cli_glm_stand_in){.term = -1};
}

cli_glm_stand_in cli_glm_stand_in_of(const dlp_glm_data *data, const dlp_design *design,
                                     const cli_glm_fit *fit)
{
    const dlp_index intercept = cli_glm_intercept(fit);
    if (intercept >= 0) return (cli_glm_stand_in){intercept, 1, -1};
    if (cli_glm_is_ordinal(fit->family)) return (cli_glm_stand_in){data->p, 1, -1};
    return find_factor(data, design);
}

bool cli_glm_stands_in(const cli_glm_stand_in *level, dlp_index j)
{
    return j >= level->first && j < level->first + level->n;
}
