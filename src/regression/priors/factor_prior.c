/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/priors/factor_prior.h"

#include "core/core.h"
#include "math/dense.h"
#include "math/lapack.h"
#include "regression/prepare/moments.h"
#include "regression/prepare/orthogonal.h"
#include "regression/priors/factor_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double FAR = 1000; /* sds from 0: beyond, orthogonal columns are better */
static const double NOTHING =
    1e-11; /* share of a coefficient's precision that others do not explain */

/* ---- when ---- */

bool dlpi_has_factors(const dlpi_prepared *prepared)
{
    const dlp_design *d = prepared->design;
    for (dlp_index v = 0; v < d->n_variables; v++)
        if (d->variable[v].factor >= 0) return true;
    return false;
}

/* ---- the precision of what the prior is about ---- */

typedef struct state {
    const dlpi_weak *w;
    dlp_index p;
    dlpi_factor_cells cells;
    double *R;         /* (p, p + 1) the columns to be fitted; NULL: as they are */
    double *T;         /* (p, C) what the prior is about: T'beta, for C cells */
    double *RT;        /* (p, C) the same for the columns to be fitted */
    dlp_index *column; /* (p) those that have a part in it */
    double *part;      /* (columns, columns) */
    double *P;         /* (p, p) its upper triangle */
} state;

/* T := R T, since beta = R'beta'. */
static const double *change_basis(state *s, dlp_index C)
{
    if (!s->R) return s->T;
    memset(s->RT, 0, (size_t)(s->p * C) * sizeof *s->RT);
    for (dlp_index j = 0; j < s->p; j++)
        for (dlp_index k = 0; k < s->p; k++) {
            const double r = s->R[j * (s->p + 1) + k];
            if (r == 0) continue;
            for (dlp_index c = 0; c < C; c++) s->RT[j * C + c] += r * s->T[k * C + c];
        }
    return s->RT;
}

static bool is_zero(dlp_index n, const double *x)
{
    for (dlp_index i = 0; i < n; i++)
        if (x[i] != 0) return false;
    return true;
}

/* P += T T' / sd^2, for the columns that take part in it, which are packed together. */
static void add_precision(state *s, dlp_index C, double sd)
{
    const double *T = change_basis(s, C);
    double *packed = T == s->T ? s->RT : s->T;
    dlp_index n = 0;
    for (dlp_index j = 0; j < s->p; j++) {
        if (is_zero(C, T + j * C)) continue;
        for (dlp_index c = 0; c < C; c++) packed[n * C + c] = T[j * C + c] / sd;
        s->column[n++] = j;
    }
    memset(s->part, 0, (size_t)(n * n) * sizeof *s->part);
    dlpi_blas_syrk(n, C, 1, packed, s->part, n);
    for (dlp_index a = 0; a < n; a++)
        for (dlp_index b = a; b < n; b++)
            s->P[s->column[a] * s->p + s->column[b]] += s->part[a * n + b];
}

static double sd_of(const state *s, dlp_index part)
{
    return dlpi_weak_sd(s->w, s->cells.parts.spread[part]);
}

/* The mean of the predictor over all rows; in an ordinal regression, cut points take its
   place. */
static void add_level(state *s)
{
    const dlpi_intercept *intercept = &s->w->intercept;
    if (intercept->n == 0 || intercept->first == s->p) return;
    for (dlp_index j = 0; j < s->p; j++)
        s->T[j] = dlpi_column_mean(s->w->data, s->w->data->x[j]);
    add_precision(s, 1, s->w->level_sd);
}

static void add_all(state *s)
{
    const dlpi_factor_cells *cells = &s->cells;
    add_level(s);
    for (dlp_index Y = 1; Y < cells->parts.n; Y++) {
        const dlpi_cell_set none = {.part = Y, .C = 1};
        dlpi_fill_cells(cells, &none, s->T);
        add_precision(s, 1, sd_of(s, Y));
    }
    for (dlp_index i = 0; i < cells->n; i++) {
        const dlpi_cell_set *of = &cells->of[i];
        dlpi_fill_cells(cells, of, s->T);
        add_precision(s, of->C, sd_of(s, of->part));
    }
}

/* ---- what the rows cannot determine ---- */

/* The sd of a coefficient that would have no prior otherwise. */
static double sd_alone(const state *s, dlp_index j)
{
    const dlpi_intercept *intercept = &s->w->intercept;
    const dlp_index at = intercept->n > 0 ? intercept->first : -1;
    if (dlpi_intercept_has(intercept, j)) return s->w->level_sd;
    return dlpi_weak_sd(s->w, dlpi_column_measure(s->w->data, j, at).spread);
}

/* The factor L of P with a unit diagonal, row by row. A coefficient of which nothing is
   left is redundant: whatever its value, earlier coefficients can make up for it in every
   row. */
static void find_unstated(const state *s, const double *scale, double *L, bool *unstated)
{
    const dlp_index p = s->p;
    for (dlp_index i = 0; i < p; i++) {
        double *row = L + i * p;
        double left = scale[i] > 0;
        for (dlp_index j = 0; j < i; j++) {
            const double *other = L + j * p;
            const double a = s->P[j * p + i] * scale[i] * scale[j];
            row[j] = unstated[j] ? 0 : (a - dlpi_dot(j, row, other)) / other[j];
            left -= row[j] * row[j];
        }
        unstated[i] = !(left > NOTHING);
        row[i] = unstated[i] ? 1 : sqrt(left);
    }
}

/* Gives N(0, s^2) to the coefficients that have no other prior. */
static dlp_status complete_prior(const state *s, dlp_error *error)
{
    const dlp_index p = s->p;
    double *scale = dlpi_calloc(p, sizeof *scale);
    bool *unstated = dlpi_calloc(p, sizeof *unstated);
    double *L = dlpi_calloc(p, (size_t)p * sizeof *L);
    const bool room = scale && unstated && L;
    for (dlp_index j = 0; room && j < p; j++)
        scale[j] = s->P[j * (p + 1)] > 0 ? 1 / sqrt(s->P[j * (p + 1)]) : 0;
    if (room) find_unstated(s, scale, L, unstated);
    for (dlp_index j = 0; room && j < p; j++) {
        const double sd = unstated[j] ? sd_alone(s, j) : 1;
        if (unstated[j]) s->P[j * (p + 1)] += 1 / (sd * sd);
    }
    free(scale);
    free(unstated);
    free(L);
    return room ? DLP_OK : dlpi_no_memory(error, "the prior");
}

/* ---- its covariance ---- */

/* inverse (p, p) of P, by way of a matrix with a unit diagonal. */
static dlp_status invert(const state *s, double *inverse, dlp_error *error)
{
    const dlp_index p = s->p;
    double *scale = dlpi_calloc(p, sizeof *scale);
    double *work = dlpi_calloc(p, (size_t)p * sizeof *work);
    const bool room = scale && work;
    bool done = false;
    for (dlp_index j = 0; room && j < p; j++) scale[j] = 1 / sqrt(s->P[j * (p + 1)]);
    if (room) {
        for (dlp_index i = 0; i < p; i++)
            for (dlp_index j = i; j < p; j++) s->P[i * p + j] *= scale[i] * scale[j];
        done = dlpi_cholesky(p, s->P) < 0;
    }
    if (done) dlpi_cholesky_inverse(p, s->P, work, inverse);
    for (dlp_index i = 0; done && i < p; i++)
        for (dlp_index j = 0; j < p; j++) inverse[i * p + j] *= scale[i] * scale[j];
    free(scale);
    free(work);
    if (!room) return dlpi_no_memory(error, "the prior");
    return done ? DLP_OK
                : dlp_fail(error, DLP_EINPUT,
                           "the columns are too nearly the same, or too far from 0, to "
                           "compute with; use scale() in the formula");
}

/* to (p, p) = R'from, row by row. */
static void change_basis_back(const state *s, const double *from, double *to)
{
    const dlp_index p = s->p;
    memset(to, 0, (size_t)(p * p) * sizeof *to);
    for (dlp_index j = 0; j < p; j++)
        for (dlp_index k = 0; k < p; k++) {
            const double r = s->R[j * (p + 1) + k];
            for (dlp_index i = 0; r != 0 && i < p; i++)
                to[k * p + i] += r * from[j * p + i];
        }
}

static void transpose(dlp_index p, double *A)
{
    for (dlp_index i = 0; i < p; i++)
        for (dlp_index j = 0; j < i; j++) {
            const double a = A[i * p + j];
            A[i * p + j] = A[j * p + i];
            A[j * p + i] = a;
        }
}

/* Sigma_0 for beta = R'beta'; leaves half of the product in s->P. */
static void find_raw(state *s, const double *R_Sigma, double *Sigma)
{
    change_basis_back(s, R_Sigma, s->P);
    transpose(s->p, s->P);
    change_basis_back(s, s->P, Sigma);
    dlpi_mirror(s->p, Sigma);
}

static dlp_status state_covariance(state *s, dlp_error *error)
{
    const dlp_index p = s->p;
    dlpi_prior_choice *out = s->w->out;
    double *Sigma = dlpi_calloc(p, (size_t)p * sizeof *Sigma);
    out->covariance = Sigma;
    if (!Sigma) return dlpi_no_memory(error, "the prior");
    DLP_TRY(invert(s, Sigma, error));
    if (s->R) {
        out->R_covariance = Sigma;
        out->covariance = dlpi_calloc(p, (size_t)p * sizeof *Sigma);
        if (!out->covariance) return dlpi_no_memory(error, "the prior");
        find_raw(s, Sigma, out->covariance);
        out->R = s->R; /* the prior owns it from here on */
        s->R = NULL;
    }
    for (dlp_index j = 0; j < p; j++) {
        const double sd = sqrt(out->covariance[j * (p + 1)]);
        if (!(sd < DLP_GLM_LARGEST))
            return dlp_fail(
                error, DLP_EINPUT,
                "the numbers of '%.80s' and of its products are too far apart "
                "to compute with; use other units, or scale() in the formula",
                s->w->prepared->name[j]);
        dlpi_weak_state(s->w, j, sd);
    }
    return DLP_OK;
}

/* ---- the whole ---- */

/* Whether columns are products with numbers, or far from 0, so that it is better to fit
   orthogonal ones. */
static bool wants_orthogonal(const state *s, const dlpi_term_margins *margins)
{
    const dlpi_numeric_parts *parts = &s->cells.parts;
    if (s->w->intercept.n == 0) return false;
    for (dlp_index t = 0; t < margins->terms; t++)
        if (parts->of[t] > 0 && margins->begin[t + 1] > margins->begin[t]) return true;
    for (dlp_index i = 1; i < parts->n; i++)
        if (parts->size[i] > FAR * parts->sd[i] && parts->sd[i] > 0) return true;
    return false;
}

static dlp_status orthogonalise(state *s, const dlpi_term_margins *margins,
                                dlp_error *error)
{
    if (!wants_orthogonal(s, margins)) return DLP_OK;
    dlpi_orthogonal orthogonal;
    const dlp_status status =
        dlpi_orthogonalise(s->w->prepared, margins, &s->w->intercept, &orthogonal, error);
    s->R = orthogonal.R;
    orthogonal.R = NULL;
    dlpi_orthogonal_clear(&orthogonal);
    return status;
}

/* Finds how many columns they all count as, and checks that each has enough digits. */
static dlp_status find_spread(const state *s, dlp_error *error)
{
    const dlpi_numeric_parts *parts = &s->cells.parts;
    double count = 0;
    for (dlp_index i = 1; i < parts->n; i++) {
        const double share = parts->sd[i] / parts->spread[i];
        count += share * share;
        DLP_TRY(dlpi_weak_check_digits(s->w, s->w->prepared->design->term[parts->term[i]],
                                       parts->term[i], parts->sd[i],
                                       parts->levelled ? parts->size[i] : 0, error));
    }
    for (dlp_index i = 0; i < s->cells.n; i++) {
        const dlpi_cell_set *of = &s->cells.of[i];
        const double share =
            of->part > 0 ? parts->sd[of->part] / parts->spread[of->part] : 1;
        count += share * share * of->variance;
    }
    dlpi_weak_spread(s->w, count, !parts->levelled);
    return DLP_OK;
}

static dlp_status make_room(state *s, dlp_error *error)
{
    const dlp_index p = s->p, C = s->cells.most;
    s->T = dlpi_calloc(p, (size_t)C * sizeof *s->T);
    s->RT = dlpi_calloc(p, (size_t)C * sizeof *s->RT);
    s->column = dlpi_calloc(p, sizeof *s->column);
    s->part = dlpi_calloc(p, (size_t)p * sizeof *s->part);
    s->P = dlpi_calloc(p, (size_t)p * sizeof *s->P);
    if (s->T && s->RT && s->column && s->part && s->P) return DLP_OK;
    return dlpi_no_memory(error, "the prior");
}

static dlp_status run(state *s, const dlpi_term_margins *margins, dlp_error *error)
{
    DLP_TRY(dlpi_factor_cells_find(s->w, &s->cells, error));
    DLP_TRY(find_spread(s, error));
    DLP_TRY(orthogonalise(s, margins, error));
    DLP_TRY(make_room(s, error));
    add_all(s);
    DLP_TRY(complete_prior(s, error));
    return state_covariance(s, error);
}

dlp_status dlpi_factor_prior(const dlpi_weak *w, const dlpi_term_margins *margins,
                             dlp_error *error)
{
    state s = {.w = w, .p = w->data->p};
    const dlp_status status = run(&s, margins, error);
    dlpi_factor_cells_clear(&s.cells);
    free(s.R);
    free(s.T);
    free(s.RT);
    free(s.column);
    free(s.part);
    free(s.P);
    return status;
}
