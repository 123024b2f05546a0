/* SPDX-License-Identifier: BSD-3-Clause */
/* The random effects of a fitted regression read back from JSON. */
#include "core/core.h"
#include "math/covariance.h"
#include "math/symmetric/structure.h"
#include "regression/file/fit_values.h"
#include "regression/priors/prior_statement.h"
#include "regression/random/variance_explained.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Where the next margins are in the lists shared by all terms. */
typedef struct place {
    dlp_index sd, correlation;
} place;

static dlp_status no_memory(const dlpi_fit_reader *r)
{
    return dlpi_no_memory_to_read(r->error, r->name);
}

/* ---- margins ---- */

static dlp_status check_margin(const dlpi_fit_reader *r, const char *key,
                               const dlp_margin *m)
{
    if (m->sd < 0) return dlpi_fit_wrong(r, key, "without negative sds");
    if (isnan(m->sd)) return DLP_OK; /* a mode */
    return m->lower <= m->median && m->median <= m->upper
               ? DLP_OK
               : dlpi_fit_wrong(r, key, "made of ascending quantiles");
}

/* A file has no sd for a mode. */
static bool is_mode(const dlpi_fit_reader *r, const json_t *sd)
{
    return r->fit->hyper == DLP_HYPER_MAP && json_is_null(sd);
}

static dlp_status read_margin(const dlpi_fit_reader *r, const char *key,
                              const json_t *object, dlp_margin *m)
{
    DLP_TRY(dlpi_fit_real(r, object, "mean", &m->mean));
    if (is_mode(r, json_object_get(object, "sd"))) {
        *m = dlpi_margin_of_mode(m->mean);
        return DLP_OK;
    }
    DLP_TRY(dlpi_fit_real(r, object, "sd", &m->sd));
    DLP_TRY(dlpi_fit_real(r, object, "lower", &m->lower));
    DLP_TRY(dlpi_fit_real(r, object, "median", &m->median));
    DLP_TRY(dlpi_fit_real(r, object, "upper", &m->upper));
    return check_margin(r, key, m);
}

/* Takes n of a list, from *next on, which moves past them. */
static dlp_status read_margins(const dlpi_fit_reader *r, const char *key, dlp_index n,
                               dlp_index *next, const dlp_margin **margins)
{
    const json_t *list = json_object_get(r->root, key);
    if (!json_is_array(list) || json_array_size(list) < (size_t)(*next + n))
        return dlpi_fit_wrong(r, key, "a list with one entry for each of \"random\"");
    dlp_margin *m = dlpi_pool_take(&r->of->pool, n, sizeof *m);
    if (!m) return no_memory(r);
    *margins = m;
    for (dlp_index i = 0; i < n; i++)
        DLP_TRY(read_margin(r, key, json_array_get(list, (size_t)(*next)++), &m[i]));
    return DLP_OK;
}

dlp_status dlpi_fit_read_margins(const dlpi_fit_reader *r)
{
    enum { NUMBERS = 5 };
    const dlp_index n = r->fit->n;
    const json_t *list = json_object_get(r->root, "margins");
    if (!dlpi_is_list(list, n))
        return dlpi_fit_wrong(r, "margins", "as long as \"parameters\"");
    dlp_margin *m = dlpi_pool_take(&r->of->pool, n, sizeof *m);
    if (!m) return no_memory(r);
    r->fit->margin = m;
    for (dlp_index i = 0; i < n; i++) {
        const json_t *row = json_array_get(list, (size_t)i);
        double x[NUMBERS];
        if (!dlpi_is_list(row, NUMBERS))
            return dlpi_fit_wrong(r, "margins", "made of lists of five numbers");
        if (is_mode(r, json_array_get(row, 1))) {
            DLP_TRY(dlpi_fit_numbers(r, "margins", row, 1, x));
            m[i] = dlpi_margin_of_mode(x[0]);
            continue;
        }
        DLP_TRY(dlpi_fit_numbers(r, "margins", row, NUMBERS, x));
        m[i] = (dlp_margin){x[0], x[1], x[2], x[3], x[4]};
        DLP_TRY(check_margin(r, "margins", &m[i]));
    }
    return DLP_OK;
}

/* ---- a term ---- */

/* (rows, n) numbers. Checks that the file has as many before allocating memory for
   them. */
static dlp_status read_matrix(const dlpi_fit_reader *r, const json_t *object,
                              const char *key, dlp_index rows, dlp_index n,
                              const double **out)
{
    const json_t *list = json_object_get(object, key);
    bool fits = dlpi_is_list(list, rows);
    for (dlp_index i = 0; i < rows && fits; i++)
        fits = dlpi_is_list(json_array_get(list, (size_t)i), n);
    if (!fits)
        return dlpi_fit_wrong(r, key, "of the size that levels, names and columns imply");
    double *x = dlpi_pool_take(&r->of->pool, dlpi_size(rows, n, 0), sizeof *x);
    if (!x) return no_memory(r);
    *out = x;
    for (dlp_index i = 0; i < rows; i++)
        DLP_TRY(dlpi_fit_numbers(r, key, json_array_get(list, (size_t)i), n, x + i * n));
    return DLP_OK;
}

/* Each of n is a covariance of q effects. */
static dlp_status check_covariances(const dlpi_fit_reader *r, const char *key,
                                    dlp_index n, dlp_index q, const double *S)
{
    double *work = dlpi_calloc(q, (size_t)q * sizeof *work);
    bool sound = true;
    if (!work) return no_memory(r);
    for (dlp_index i = 0; i < n && sound; i++)
        sound = dlpi_is_covariance(q, S + i * q * q, work);
    free(work);
    return sound ? DLP_OK
                 : dlpi_fit_wrong(
                       r, key, "made of covariances: symmetric, positive semidefinite");
}

static dlp_status read_group(const dlpi_fit_reader *r, const json_t *object,
                             dlp_random_effects *to)
{
    const dlp_terms *terms = r->fit->terms;
    const char *text;
    DLP_TRY(dlpi_fit_text(r, object, "label", &text));
    if (!dlpi_regression_keep(r->of, text, &to->label)) return no_memory(r);
    DLP_TRY(dlpi_fit_text(r, object, "group", &text));
    for (dlp_index i = 0; i < terms->n_groupings; i++) {
        const dlp_levels *group = &terms->grouping[i];
        if (strcmp(group->variable, text) != 0) continue;
        to->group = group->variable;
        to->levels = group->n;
        to->level = group->level;
        return DLP_OK;
    }
    return dlpi_fit_wrong(r, "group", "one of \"groupings\"");
}

static dlp_status read_names(const dlpi_fit_reader *r, const json_t *object,
                             dlp_random_effects *to)
{
    const json_t *list = json_object_get(object, "names");
    to->q = (dlp_index)json_array_size(list);
    if (to->q == 0) return dlpi_fit_wrong(r, "names", "a list of texts");
    const char **name = dlpi_pool_take(&r->of->pool, to->q, sizeof *name);
    if (!name) return no_memory(r);
    to->name = name;
    for (dlp_index k = 0; k < to->q; k++) {
        const char *text = json_string_value(json_array_get(list, (size_t)k));
        if (!text) return dlpi_fit_wrong(r, "names", "a list of texts");
        if (!dlpi_regression_keep(r->of, text, &name[k])) return no_memory(r);
    }
    return DLP_OK;
}

static dlp_status read_priors(const dlpi_fit_reader *r, const json_t *object,
                              dlp_random_effects *to)
{
    const json_t *list = json_object_get(object, "sd_priors"),
                 *lkj = json_object_get(object, "lkj");
    dlp_sd_prior *prior = dlpi_pool_take(&r->of->pool, to->q, sizeof *prior);
    if (!prior) return no_memory(r);
    to->prior = prior;
    if (!dlpi_is_list(list, to->q))
        return dlpi_fit_wrong(r, "sd_priors", "as long as \"names\"");
    for (dlp_index k = 0; k < to->q; k++) {
        const json_t *of = json_array_get(list, (size_t)k);
        const char *text;
        DLP_TRY(dlpi_fit_text(r, of, "prior", &text));
        if (dlpi_sd_prior_parse(text, &prior[k], NULL) != DLP_OK)
            return dlpi_fit_wrong(r, "prior", "one that this library knows");
        prior[k].stated = json_is_true(json_object_get(of, "stated"));
    }
    DLP_TRY(dlpi_fit_real(r, lkj, "eta", &to->lkj));
    to->lkj_stated = json_is_true(json_object_get(lkj, "stated"));
    return to->lkj > 0 ? DLP_OK : dlpi_fit_wrong(r, "eta", "above 0");
}

/* The numbers of a margin; a mode has only the first. */
static dlp_status read_second(const dlpi_fit_reader *r, const json_t *row, dlp_margin *m)
{
    double x[5];
    if (!dlpi_is_list(row, 5))
        return dlpi_fit_wrong(r, "second", "a list of five numbers");
    if (is_mode(r, json_array_get(row, 1))) {
        DLP_TRY(dlpi_fit_numbers(r, "second", row, 1, x));
        *m = dlpi_margin_of_mode(x[0]);
        return DLP_OK;
    }
    DLP_TRY(dlpi_fit_numbers(r, "second", row, 5, x));
    *m = (dlp_margin){x[0], x[1], x[2], x[3], x[4]};
    return check_margin(r, "second", m);
}

/* Its constants are among the terms' bases. */
static dlp_status read_process(const dlpi_fit_reader *r, const json_t *object,
                               dlp_random_effects *to)
{
    const json_t *of = json_object_get(object, "process"),
                 *share = json_object_get(of, "share"),
                 *next = json_object_get(of, "next");
    const dlp_terms *terms = r->fit->terms;
    to->reference = 1;
    if (!of) return DLP_OK;
    for (dlp_index i = 0; i < terms->n_bases; i++)
        if (!strcmp(terms->basis[i].variable, to->group) &&
            dlp_basis_is_process(&terms->basis[i]))
            to->process = &terms->basis[i];
    if (!to->process || to->process->n_knots != to->levels || to->q != 1)
        return dlpi_fit_wrong(r, "process", "that of a term of \"bases\"");
    DLP_TRY(read_second(r, json_object_get(of, "second"), &to->second));
    if (!(fabs(to->second.mean) <= 1))
        return dlpi_fit_wrong(r, "second", "a correlation or a share");
    DLP_TRY(dlpi_fit_numbers(r, "beta", json_object_get(share, "beta"), 2, to->share));
    to->share_stated = json_is_true(json_object_get(share, "stated"));
    DLP_TRY(dlpi_fit_real(r, of, "reference", &to->reference));
    if (!dlpi_is_list(next, to->levels) || !(to->reference > 0))
        return dlpi_fit_wrong(r, "process", "with as many numbers as levels");
    double *x = dlpi_pool_take(&r->of->pool, to->levels, sizeof *x);
    if (!x) return no_memory(r);
    to->next = x;
    return dlpi_fit_numbers(r, "next", next, to->levels, x);
}

static dlp_status read_term(const dlpi_fit_reader *r, const json_t *object, place *next,
                            dlp_random_effects *to)
{
    DLP_TRY(read_group(r, object, to));
    DLP_TRY(read_names(r, object, to));
    DLP_TRY(read_priors(r, object, to));
    const dlp_index q = to->q, L = to->levels, square = dlpi_size(q, q, 0);
    DLP_TRY(read_margins(r, "sds", q, &next->sd, &to->sd));
    DLP_TRY(read_margins(r, "correlations", q * (q - 1) / 2, &next->correlation,
                         &to->correlation));
    DLP_TRY(read_matrix(r, object, "covariance", q, q, &to->covariance));
    DLP_TRY(check_covariances(r, "covariance", 1, q, to->covariance));
    DLP_TRY(read_matrix(r, object, "mean", L, q, &to->mean));
    DLP_TRY(read_matrix(r, object, "variance", L, square, &to->variance));
    DLP_TRY(check_covariances(r, "variance", L, q, to->variance));
    DLP_TRY(read_matrix(r, object, "with_beta", L,
                        dlpi_size(q, dlpi_effects_width(r->fit), 0), &to->with_beta));
    return read_process(r, object, to);
}

/* ---- pairs of terms ---- */

/* Levels of both terms, ascending. */
static bool are_ascending(const dlp_random_effects *s, const dlp_random_effects *t,
                          dlp_index n, const int32_t *level)
{
    bool sound = true;
    for (dlp_index i = 0; i < n && sound; i++) {
        const int32_t *at = level + 2 * i;
        sound = at[0] >= 0 && at[0] < s->levels && at[1] >= 0 && at[1] < t->levels;
        if (i > 0)
            sound = sound && (at[-2] < at[0] || (at[-2] == at[0] && at[-1] < at[1]));
    }
    return sound;
}

static dlp_status read_levels(const dlpi_fit_reader *r, const json_t *list,
                              dlp_effect_pairs *to)
{
    int32_t *level = dlpi_pool_take(&r->of->pool, 2 * to->n, sizeof *level);
    if (!level) return no_memory(r);
    to->level = level;
    for (dlp_index i = 0; i < 2 * to->n; i++) {
        const json_int_t l = json_integer_value(json_array_get(list, (size_t)i));
        level[i] = l >= 0 && l <= INT32_MAX ? (int32_t)l : -1;
    }
    return are_ascending(&r->fit->random[to->first], &r->fit->random[to->second], to->n,
                         level)
               ? DLP_OK
               : dlpi_fit_wrong(r, "levels", "made of ascending pairs of levels");
}

static dlp_status read_pairs(const dlpi_fit_reader *r, const json_t *object,
                             dlp_effect_pairs *to)
{
    const json_t *terms = json_object_get(object, "terms"),
                 *levels = json_object_get(object, "levels"),
                 *covariance = json_object_get(object, "covariance");
    const json_int_t first = json_integer_value(json_array_get(terms, 0)),
                     second = json_integer_value(json_array_get(terms, 1));
    if (first < 0 || first >= second || second >= r->fit->n_random)
        return dlpi_fit_wrong(r, "pairs", "made of two terms of \"random\" each");
    to->first = (dlp_index)first;
    to->second = (dlp_index)second;
    to->n = (dlp_index)json_array_size(levels) / 2;
    const dlp_index n =
        dlpi_size(to->n, r->fit->random[first].q * r->fit->random[second].q, 0);
    if (!dlpi_is_list(levels, 2 * to->n) || !dlpi_is_list(covariance, n))
        return dlpi_fit_wrong(r, "pairs", "with the covariances of two levels each");
    DLP_TRY(read_levels(r, levels, to));
    double *C = dlpi_pool_take(&r->of->pool, n, sizeof *C);
    if (!C) return no_memory(r);
    to->covariance = C;
    return dlpi_fit_numbers(r, "covariance", covariance, n, C);
}

/* Files of older versions have none. */
static dlp_status read_all_pairs(const dlpi_fit_reader *r)
{
    const json_t *list = json_object_get(r->root, "pairs");
    const dlp_index n = (dlp_index)json_array_size(list);
    if (!list) return DLP_OK;
    if (!json_is_array(list) || n > r->fit->n_random * r->fit->n_random)
        return dlpi_fit_wrong(r, "pairs", "a list of pairs of terms");
    dlp_effect_pairs *pairs = dlpi_pool_take(&r->of->pool, n, sizeof *pairs);
    if (!pairs) return no_memory(r);
    for (dlp_index i = 0; i < n; i++)
        DLP_TRY(read_pairs(r, json_array_get(list, (size_t)i), &pairs[i]));
    r->fit->pairs = pairs;
    r->fit->n_pairs = n;
    return DLP_OK;
}

/* ---- how many rows, and what they say ---- */

/* Older files have none. */
static dlp_status read_rows(const dlpi_fit_reader *r, dlp_index t, dlp_random_effects *to)
{
    const json_t *all = json_object_get(r->root, "level_rows"),
                 *list = json_array_get(all, (size_t)t);
    if (!all || json_is_null(list)) return DLP_OK;
    if (!dlpi_is_list(list, to->levels))
        return dlpi_fit_wrong(r, "level_rows", "as long as there are levels");
    dlp_index *rows = dlpi_pool_take(&r->of->pool, to->levels, sizeof *rows);
    if (!rows) return no_memory(r);
    to->rows = rows;
    for (dlp_index l = 0; l < to->levels; l++) {
        const json_t *value = json_array_get(list, (size_t)l);
        const json_int_t count = json_integer_value(value);
        if (!json_is_integer(value) || count < 0 || count > PTRDIFF_MAX)
            return dlpi_fit_wrong(r, "level_rows", "made of numbers of rows");
        rows[l] = (dlp_index)count;
    }
    return DLP_OK;
}

static dlp_status read_variance(const dlpi_fit_reader *r)
{
    const json_t *of = json_object_get(r->root, "variance_explained"),
                 *terms = json_object_get(of, "terms");
    dlp_variance_explained *v = &r->fit->variance;
    const dlp_index T = r->fit->n_random;
    if (!of) return DLP_OK;
    DLP_TRY(dlpi_fit_real(r, of, "fixed", &v->fixed));
    DLP_TRY(dlpi_fit_real(r, of, "random", &v->random));
    DLP_TRY(dlpi_fit_real(r, of, "residual", &v->residual));
    if (!dlpi_is_list(terms, T))
        return dlpi_fit_wrong(r, "terms", "as long as \"random\"");
    double *term = dlpi_pool_take(&r->of->pool, T, sizeof *term);
    if (!term) return no_memory(r);
    v->term = term;
    for (dlp_index t = 0; t < T; t++)
        DLP_TRY(dlpi_fit_real(r, json_array_get(terms, (size_t)t), "variance", &term[t]));
    if (!(v->fixed >= 0 && v->random >= 0 && v->residual >= 0))
        return dlpi_fit_wrong(r, "variance_explained", "without negative variances");
    dlpi_variance_shares(v);
    return DLP_OK;
}

/* ---- the whole ---- */

static bool is_used_up(const dlpi_fit_reader *r, const char *key, dlp_index n)
{
    return dlpi_is_list(json_object_get(r->root, key), n);
}

dlp_status dlpi_fit_read_random(const dlpi_fit_reader *r)
{
    const json_t *list = json_object_get(r->root, "random");
    const dlp_index T = (dlp_index)json_array_size(list);
    place next = {0, 0};
    const dlp_index D = dlpi_predictors(r->fit);
    if ((T == 0 && r->fit->n_smooths == 0) || T % D != 0)
        return dlpi_fit_wrong(r, "random", "a list of terms");
    dlp_random_effects *random = dlpi_pool_take(&r->of->pool, T, sizeof *random);
    if (!random) return no_memory(r);
    r->fit->random = random;
    r->fit->n_random = T;
    DLP_TRY(dlpi_fit_read_margins(r));
    for (dlp_index t = 0; t < T; t++) {
        DLP_TRY(read_term(r, json_array_get(list, (size_t)t), &next, &random[t]));
        DLP_TRY(read_rows(r, t, &random[t]));
        if (r->fit->family->support == DLP_SUPPORT_LEVELS)
            random[t].category = r->fit->terms->response.level[1 + t % D];
    }
    DLP_TRY(read_all_pairs(r));
    DLP_TRY(read_variance(r));
    if (!is_used_up(r, "sds", next.sd))
        return dlpi_fit_wrong(r, "sds", "as long as there are effects");
    return is_used_up(r, "correlations", next.correlation)
               ? DLP_OK
               : dlpi_fit_wrong(r, "correlations",
                                "as long as there are pairs of effects");
}
