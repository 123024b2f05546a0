/* SPDX-License-Identifier: BSD-3-Clause */
#include "bugs/check/modes.h"

#include "bugs/posterior/start.h"
#include "core/core.h"

#include <delaplace/random.h>
#include <math.h>
#include <string.h>

/* Where searches begin. Those after the third do not depend on what we found; the last
   one starts where data and priors are. */
enum { FOUND, REVERSED, AWAY, AT_DATA = 12, STARTS };

typedef struct search {
    dlpi_factors *factors;
    dlpi_plan plan;
    dlpi_groups groups;
    dlpi_posterior_settings settings;
    dlp_index n_cells;
    const double *where, *sd; /* (n_cells) */
    double *start;            /* (n_cells) of the next search */
    double *at[STARTS];       /* (n_cells) where they ended */
    double log_p[STARTS];     /* -INFINITY: they found no maximum */
} search;

/* ---- starting points ---- */

static void reverse(const search *s, const double *from, double *to)
{
    const dlpi_factors *f = s->factors;
    memcpy(to, from, (size_t)s->n_cells * sizeof *to);
    for (dlp_index first = 0, last; first < f->n_nodes; first = last) {
        last = first;
        while (last < f->n_nodes && f->node[last].relation == f->node[first].relation)
            last++;
        for (dlp_index k = first; k < last; k++) {
            const dlpi_node *a = &f->node[k], *b = &f->node[last - 1 - (k - first)];
            for (int i = 0; i < a->n && a->n == b->n; i++)
                to[f->node_cell[a->first + i]] = from[f->node_cell[b->first + i]];
        }
    }
}

static void set_start(const search *s, int which)
{
    static const double away[4] = {3, 1, 10, 6};
    if (which == REVERSED) {
        reverse(s, s->where, s->start);
        return;
    }
    if (which == AT_DATA) {
        dlpi_start_at_data(s->factors, s->start);
        return;
    }
    for (dlp_index c = 0; c < s->n_cells; c++) {
        dlp_rng rng = dlp_rng_at(17 + (uint64_t)which, (uint64_t)c);
        const double z = dlp_draw_normal(&rng);
        const bool x = s->plan.role[c] == DLPI_ROLE_X,
                   psi = s->plan.role[c] == DLPI_ROLE_PSI;
        const double far = x ? away[which % 4] : psi && which % 2 ? 2 : NAN;
        s->start[c] = which == FOUND  ? s->where[c]
                      : which == AWAY ? s->where[c] + 4 * s->sd[c] * z
                                      : far * z;
    }
}

/* ---- a search ---- */

static dlp_status climb(search *s, int which, dlp_error *error)
{
    const dlpi_plan *plan = &s->plan;
    dlpi_posterior p = {0};
    set_start(s, which);
    s->log_p[which] = -INFINITY;
    for (dlp_index c = 0; c < s->n_cells; c++) s->at[which][c] = NAN;
    DLP_TRY(dlpi_posterior_find(&s->groups, &s->settings, &p, error));
    if (p.points > 0) {
        s->log_p[which] = p.log_evidence;
        for (dlp_index k = 0; k < plan->m; k++)
            s->at[which][plan->psi_cell[k]] = p.center[k] + p.unit[k] * p.explore.mode[k];
        for (dlp_index k = 0; k < plan->n; k++)
            s->at[which][plan->x_cell[k]] = p.x_mean[k];
    }
    dlpi_posterior_clear(&p);
    return DLP_OK;
}

/* ---- the outcome ---- */

/* The largest distance between a and b, in sds. */
static double distance(const search *s, const double *a, const double *b)
{
    double most = 0;
    for (dlp_index c = 0; c < s->n_cells; c++)
        if (isfinite(a[c]) && isfinite(b[c]) && s->sd[c] > 0)
            most = fmax(most, fabs(a[c] - b[c]) / s->sd[c]);
    return most;
}

/* Whether the k-th search ended at a maximum that counts and that no earlier one
   found. */
static bool is_another(const search *s, int k, int best)
{
    const double far = 4, low = 7;
    if (k == best || !(s->log_p[k] > s->log_p[best] - low)) return false;
    if (distance(s, s->at[k], s->at[best]) < far) return false;
    for (int j = 0; j < k; j++)
        if (isfinite(s->log_p[j]) && distance(s, s->at[k], s->at[j]) < far) return false;
    return true;
}

static void judge(search *s, dlpi_modes *modes)
{
    const double same = 0.01, near = 0.1;
    int best = FOUND;
    for (int k = 1; k < STARTS; k++)
        if (s->log_p[k] > s->log_p[best] + same) best = k;
    reverse(s, s->at[best], s->start);
    for (int k = 0; k < STARTS; k++) {
        if (!is_another(s, k, best)) continue;
        modes->others++;
        modes->switched = modes->switched || (fabs(s->log_p[k] - s->log_p[best]) < same &&
                                              distance(s, s->at[k], s->start) < near);
    }
    if (best == FOUND || !isfinite(s->log_p[best])) return;
    modes->above =
        isfinite(s->log_p[FOUND]) ? s->log_p[best] - s->log_p[FOUND] : INFINITY;
    memcpy(modes->best, s->at[best], (size_t)s->n_cells * sizeof *modes->best);
}

static dlp_status look(search *s, dlpi_modes *modes, dlp_error *error)
{
    const dlp_index n = s->n_cells;
    s->start = dlpi_calloc((STARTS + 1) * n, sizeof *s->start);
    modes->best = dlpi_calloc(n, sizeof *modes->best);
    if (!s->start || !modes->best) return dlpi_no_memory(error, "the modes");
    for (int k = 0; k < STARTS; k++) s->at[k] = s->start + (k + 1) * n;
    s->settings.start = s->start;
    s->settings.unit = NULL;
    s->settings.only_mode = true;
    s->settings.draws = 2;
    DLP_TRY(dlpi_plan_make(s->factors, false, &s->plan, error));
    DLP_TRY(dlpi_groups_make(s->factors, &s->plan, &s->groups, error));
    for (int k = 0; k < STARTS; k++) DLP_TRY(climb(s, k, error));
    judge(s, modes);
    return DLP_OK;
}

dlp_status dlpi_modes_look(dlpi_factors *factors, const dlpi_posterior_settings *settings,
                           const double *where, const double *sd, dlpi_modes *modes,
                           dlp_error *error)
{
    search s = {.factors = factors,
                .settings = *settings,
                .n_cells = factors->lowering->graph->n_cells,
                .where = where,
                .sd = sd};
    *modes = (dlpi_modes){0};
    const dlp_status status = look(&s, modes, error);
    free(s.start);
    dlpi_groups_clear(&s.groups);
    dlpi_plan_clear(&s.plan);
    if (status != DLP_OK) dlpi_modes_clear(modes);
    return status;
}

void dlpi_modes_clear(dlpi_modes *modes)
{
    free(modes->best);
    *modes = (dlpi_modes){0};
}
