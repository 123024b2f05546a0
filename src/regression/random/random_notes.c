/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/random/random_notes.h"

#include "core/core.h"
#include "math/dense.h"
#include "regression/prepare/grouped_rows.h"

#include <math.h>
#include <string.h>

enum { FEW_LEVELS = 4 }; /* an sd of so few is as much due to the prior as to the data */

static void add(dlp_regression *r, dlp_diagnostic found)
{
    if (r->n_notes < DLPI_MOST_NOTES) r->note[r->n_notes++] = found;
}

/* ---- levels ---- */

static dlp_index most_rows(const dlp_random *random, const dlp_index *rows)
{
    dlp_index most = 0;
    for (dlp_index l = 0; l < random->group.n; l++)
        if (rows[l] > most) most = rows[l];
    return most;
}

/* With one row per level, its effect cannot be distinguished from noise if there is a
   scale, or if the response of a row is 0 or 1. Counts can vary more than their family
   allows. */
static bool is_noise(const dlpi_prepared *p, dlp_index most)
{
    const bool of_level =
        p->family->support == DLP_SUPPORT_BINARY || dlp_family_has_levels(p->family);
    return most == 1 && (p->family->scale || of_level);
}

/* For a process with one row per node, only its second number distinguishes it from
   noise. */
static bool may_be_noise(const dlp_random_effects *e)
{
    return dlp_basis_has_second(e->process) && !isnan(e->second.sd) &&
           e->second.lower < 0.05;
}

/* The first sd of a term whose posterior begins at 0, like that of half a normal, for
   which the quantiles of an interval differ by a factor of 70. */
static void note_sds(dlp_index t, dlp_regression *r)
{
    const dlp_random_effects *e = &r->result.random[t];
    const double far = 25;
    for (dlp_index k = 0; k < e->q; k++)
        if (far * e->sd[k].lower < e->sd[k].upper) {
            add(r,
                (dlp_diagnostic){
                    .kind = DLP_SD_NEAR_ZERO, .parameter = -1, .random = t, .effect = k});
            return;
        }
}

static bool stands_outside(const dlp_design *d, const char *variable)
{
    for (dlp_index i = 0; i < d->n_terms; i++)
        if (!strcmp(d->term[i], variable)) return true;
    return false;
}

/* ---- two terms ---- */

/* Whether a and b have the same levels under other names; to (L of a). */
static bool are_levels_alike(const dlp_random *a, const dlp_random *b, dlp_index N,
                             int32_t *to)
{
    if (a->group.n != b->group.n) return false;
    for (dlp_index l = 0; l < a->group.n; l++) to[l] = -1;
    for (dlp_index i = 0; i < N; i++) {
        if (to[a->code[i]] < 0) to[a->code[i]] = b->code[i];
        if (to[a->code[i]] != b->code[i]) return false;
    }
    return true;
}

static bool share_effect(const dlp_random *a, const dlp_random *b)
{
    for (dlp_index j = 0; j < a->q; j++)
        for (dlp_index k = 0; k < b->q; k++)
            if (!strcmp(a->name[j], b->name[k])) return true;
    return false;
}

/* ---- columns of a term ---- */

/* Orthogonalises the columns of each level, one after another; left (q) is the share of each
   that remains, at most over the levels that this process has. Q (q, most rows): room. */
static void find_left(const dlpi_grouped_rows *rows, double *Q, double *left)
{
    const dlp_index q = rows->data.p;
    for (dlp_index l = rows->from; l < rows->to; l++) {
        const dlp_index n = rows->count[l];
        const double **x = rows->x + l * q;
        for (dlp_index k = 0; k < q; k++) {
            double *v = Q + k * n;
            memcpy(v, x[k], (size_t)n * sizeof *v);
            const double all = sqrt(dlpi_dot(n, v, v));
            for (int again = 0; again < 2; again++)
                for (dlp_index j = 0; j < k; j++)
                    dlpi_axpy(n, -dlpi_dot(n, Q + j * n, v), Q + j * n, v);
            const double rest = sqrt(dlpi_dot(n, v, v));
            const double share = all > 0 ? rest / all : 0;
            left[k] = fmax(left[k], share);
            for (dlp_index i = 0; i < n; i++) v[i] = share > 1e-9 ? v[i] / rest : 0;
        }
    }
}

/* The first effect that those before it determine in every level, or -1. */
static dlp_status find_aliased(const dlpi_prepared *p, const dlp_random *random,
                               dlp_index most, dlp_index *aliased, dlp_error *error)
{
    const dlp_index q = random->q;
    const dlp_glm_data columns = {
        .N = p->data.N, .p = q, .x = random->x, .division = p->data.division};
    dlpi_grouped_rows rows;
    double *left = dlpi_calloc(q, (size_t)(1 + most) * sizeof *left);
    dlp_status status = left ? dlpi_grouped_rows_make(&columns, random->code,
                                                      random->group.n, &rows, error)
                             : dlpi_no_memory(error, "notes on random effects");
    if (status == DLP_OK) find_left(&rows, left + q, left);
    *aliased = -1;
    for (dlp_index k = 1; k < q && *aliased < 0 && status == DLP_OK; k++)
        if (dlpi_division_most(p->data.division, left[k]) < 1e-9) *aliased = k;
    if (left) dlpi_grouped_rows_clear(&rows);
    free(left);
    return status;
}

/* ---- the whole ---- */

typedef struct room {
    dlp_index *rows; /* (most levels) */
    int32_t *to;     /* (most levels) */
} room;

static dlp_status note_columns(const dlpi_prepared *p, dlp_index t, dlp_index most,
                               dlp_regression *r, dlp_error *error)
{
    const dlp_random *random = &p->design->random[t];
    dlp_index aliased;
    if (random->q == 1) return DLP_OK;
    DLP_TRY(find_aliased(p, random, most, &aliased, error));
    if (aliased >= 0)
        add(r, (dlp_diagnostic){.kind = DLP_EFFECT_ALIASED,
                                .parameter = -1,
                                .random = t * dlpi_predictors_of(p),
                                .effect = aliased});
    return DLP_OK;
}

/* Terms are named by their first predictor. */
static dlp_diagnostic note_of(const dlpi_prepared *p, dlp_index t)
{
    return (dlp_diagnostic){.parameter = -1, .random = t * dlpi_predictors_of(p)};
}

/* Levels with one row each still have neighbours. */
static void note_process(const dlpi_prepared *p, dlp_index t, dlp_index most,
                         dlp_regression *r)
{
    dlp_diagnostic note = note_of(p, t);
    if (is_noise(p, most) && may_be_noise(&r->result.random[t])) {
        note.kind = DLP_PROCESS_OF_ONE_ROW;
        add(r, note);
    } else {
        note_sds(t, r);
    }
}

/* The terms before it whose levels and effects are the same. */
static void note_aliases(const dlpi_prepared *p, dlp_index t, const room *w,
                         dlp_regression *r)
{
    const dlp_design *d = p->design;
    dlp_diagnostic note = note_of(p, t);
    note.kind = DLP_TERMS_ALIASED;
    for (dlp_index u = 0; u < t; u++) {
        if (d->random[u].process || !share_effect(&d->random[t], &d->random[u]) ||
            !are_levels_alike(&d->random[t], &d->random[u], d->N, w->to))
            continue;
        note.other = u * dlpi_predictors_of(p);
        add(r, note);
    }
}

static dlp_status note_term(const dlpi_prepared *p, dlp_index t, const room *w,
                            dlp_regression *r, dlp_error *error)
{
    const dlp_design *d = p->design;
    const dlp_random *random = &d->random[t];
    DLP_TRY(dlpi_count_groups(&p->data, random->code, random->group.n, w->rows, error));
    const dlp_index most = most_rows(random, w->rows);
    dlp_diagnostic note = note_of(p, t);
    if (random->process) {
        note_process(p, t, most, r);
        return DLP_OK;
    }
    if (is_noise(p, most)) {
        note.kind = DLP_LEVELS_OF_ONE_ROW;
        add(r, note);
    } else if (most > 1) {
        DLP_TRY(note_columns(p, t, most, r, error));
    }
    if (stands_outside(d, random->group.variable)) {
        note.kind = DLP_LEVELS_OUTSIDE;
        add(r, note);
    } else if (random->group.n <= FEW_LEVELS) {
        note.kind = DLP_FEW_LEVELS;
        note.count = random->group.n;
        add(r, note);
    } else if (!is_noise(p, most)) {
        note_sds(t, r);
    }
    note_aliases(p, t, w, r);
    return DLP_OK;
}

dlp_status dlpi_random_notes(const dlpi_prepared *p, dlp_regression *r, dlp_error *error)
{
    const dlp_design *d = p->design;
    dlp_index L = 1;
    for (dlp_index t = 0; t < d->n_random; t++)
        if (d->random[t].group.n > L) L = d->random[t].group.n;
    const room w = {dlpi_calloc(L, sizeof *w.rows), dlpi_calloc(L, sizeof *w.to)};
    dlp_status status =
        w.rows && w.to ? DLP_OK : dlpi_no_memory(error, "notes on random effects");
    for (dlp_index t = 0; t < d->n_random && status == DLP_OK; t++)
        status = note_term(p, t, &w, r, error);
    free(w.rows);
    free(w.to);
    return status;
}

/* ---- doubts ---- */

/* The term that is integrated out level by level: the first with the most levels. */
static dlp_index largest_term(const dlp_design *d)
{
    dlp_index largest = 0;
    for (dlp_index t = 1; t < d->n_random; t++)
        if (d->random[t].group.n > d->random[largest].group.n) largest = t;
    return largest;
}

void dlpi_random_doubts(const dlpi_prepared *p, const dlpi_mixed_result *found,
                        dlp_regression *r)
{
    const double much = 0.3, /* in the log evidence: moves an sd by a tenth of its sd, */
        very_much = 0.65;    /*     or up to a third */
    const double little = 0.002; /* of the total weight */
    const dlp_index t = largest_term(p->design);
    const dlp_diagnostic none = {.parameter = -1};
    dlp_diagnostic doubt = none;
    r->lean = found->lean;
    if (found->by_laplace) {
        doubt.kind = DLP_EFFECTS_BY_LAPLACE;
        doubt.random = t;
        doubt.count = p->design->random[t].q;
        add(r, doubt);
    }
    doubt = none;
    if (!(found->left_out <= much)) {
        doubt.kind = DLP_EFFECTS_CROSSED;
        doubt.value = found->left_out;
        doubt.severe = !(found->left_out <= very_much);
        add(r, doubt);
    }
    doubt = none;
    if (found->by_design) {
        doubt.kind = DLP_SCALES_BY_DESIGN;
        doubt.value = found->is_adapted ? 0.1 : 0.4;
        doubt.severe = !found->is_adapted;
        for (dlp_index k = 0; k < found->n_terms; k++)
            doubt.count += found->effects[k].q * (found->effects[k].q + 1) / 2;
        doubt.count += found->n - found->p;
        add(r, doubt);
    }
    doubt = none;
    if (found->cut > little) {
        doubt.kind = DLP_SCALES_CUT;
        doubt.value = found->cut;
        add(r, doubt);
    }
}
