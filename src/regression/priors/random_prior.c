/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/priors/random_prior.h"

#include "core/core.h"
#include "core/suggest.h"
#include "regression/prepare/moments.h"
#include "regression/priors/prior_statement.h"
#include "regression/priors/smooth_prior.h"

#include <math.h>
#include <string.h>

/* ---- the default ---- */

/* The units of a column of random effects: its sd, or the step of an indicator; for a
   constant, its size. */
static double column_unit(const dlp_glm_data *rows, const double *x)
{
    const double step = dlpi_column_step(rows, x, true);
    const double mean = dlpi_column_mean(rows, x);
    const double sd = sqrt(dlpi_column_variance(rows, x, mean));
    if (step > 0) return step;
    if (sd > 1e-9 * fabs(mean)) return sd;
    return mean != 0 ? fabs(mean) : 1;
}

static dlp_sd_prior weak(double scale)
{
    return (dlp_sd_prior){
        .distribution = DLP_SD_HALF_T, .a = 3, .b = scale, .weak = scale};
}

/* An sd between levels is weakly expected to move the linear predictor by
   DLP_WEAK_EFFECT, with an identity link in sds of the response, when the column moves by one of its units. */
static void set_defaults(const dlpi_prepared *p, const dlp_glm_data *rows, double unit,
                         const dlpi_random_priors *out)
{
    const dlp_index T = p->design->n_random;
    dlp_sd_prior *sd = out->sd;
    for (dlp_index t = 0; t < T; t++) {
        const dlp_random *random = &p->design->random[t];
        out->lkj[t] = out->share[2 * t] = out->share[2 * t + 1] = 1;
        for (dlp_index j = 0; j < random->q; j++)
            *sd++ = weak(DLP_WEAK_EFFECT * unit / column_unit(rows, random->x[j]));
    }
    for (dlp_index s = 0; s < p->design->n_smooths; s++) {
        *sd++ = weak(dlpi_smooth_scale(p));
        out->lkj[T + s] = 1;
    }
}

bool dlpi_has_share(const dlp_basis *process)
{
    return process && process->kind == DLP_BASIS_BYM2;
}

bool dlpi_has_correlation(const dlp_basis *process)
{
    return process && process->kind == DLP_BASIS_AR1;
}

/* ---- what is stated ---- */

/* "ar1(t|g)" is "ar1(t | g)". */
static bool are_alike(const char *a, const char *b)
{
    for (;; a++, b++) {
        while (*a == ' ') a++;
        while (*b == ' ') b++;
        if (*a != *b) return false;
        if (!*a) return true;
    }
}

static bool is_about(const dlpi_prior_statement *s, const dlp_random *random)
{
    const char *name = s->name[0];
    return !name[0] || are_alike(name, random->group.variable) ||
           are_alike(name, random->label);
}

/* s(x) applies to each of s(x):ga, s(x):gb, too. */
static bool is_about_smooth(const dlpi_prior_statement *s, const dlp_smooth *smooth)
{
    const char *name = s->name[0];
    return !name[0] || are_alike(name, smooth->label) || are_alike(name, smooth->term);
}

/* Sets the correlations and shares of a term that a statement is about; returns how
   many. */
static dlp_index state_second(const dlpi_prior_statement *s, const dlp_random *random,
                              dlp_index t, const dlpi_random_priors *out)
{
    if (s->of == DLPI_PRIOR_OF_CORRELATION &&
        (random->q > 1 || dlpi_has_correlation(random->process))) {
        out->lkj[t] = s->lkj;
        out->lkj_stated[t] = true;
        return 1;
    }
    if (s->of != DLPI_PRIOR_OF_SHARE || !dlpi_has_share(random->process)) return 0;
    memcpy(out->share + 2 * t, s->share, sizeof s->share);
    out->share_stated[t] = true;
    return 1;
}

static void state_sd(const dlpi_prior_statement *s, dlp_sd_prior *sd)
{
    const double weak = sd->weak;
    *sd = s->sd;
    sd->weak = weak;
}

/* Sets the sds, correlations or shares that a statement is about; returns how many. */
static dlp_index state(const dlpi_prepared *p, const dlpi_prior_statement *s,
                       const dlpi_random_priors *out)
{
    dlp_sd_prior *sd = out->sd;
    dlp_index found = 0;
    for (dlp_index t = 0; t < p->design->n_random; t++) {
        const dlp_random *random = &p->design->random[t];
        const bool about = is_about(s, random);
        for (dlp_index j = 0; j < random->q; j++, sd++) {
            if (s->of != DLPI_PRIOR_OF_SD || !about) continue;
            if (s->name[1][0] && strcmp(s->name[1], random->name[j]) != 0) continue;
            state_sd(s, sd);
            found++;
        }
        if (about) found += state_second(s, random, t, out);
    }
    for (dlp_index k = 0; k < p->design->n_smooths; k++, sd++) {
        if (s->of != DLPI_PRIOR_OF_SD || s->name[1][0] ||
            !is_about_smooth(s, &p->design->smooth[k]))
            continue;
        state_sd(s, sd);
        found++;
    }
    return found;
}

/* ---- statements that apply to nothing ---- */

static dlp_status fail_group(const dlpi_prepared *p, const dlpi_prior_statement *s,
                             dlp_error *error)
{
    const dlp_design *d = p->design;
    struct dlpi_suggestion near = dlpi_suggestion_for(s->name[0]);
    const char *first =
        d->n_random > 0 ? d->random[0].group.variable : d->smooth[0].label;
    for (dlp_index t = 0; t < d->n_random; t++)
        dlpi_suggestion_consider(&near, d->random[t].group.variable);
    for (dlp_index k = 0; k < d->n_smooths; k++)
        dlpi_suggestion_consider(&near, d->smooth[k].label);
    if (near.best)
        return dlp_fail(error, DLP_EINVAL,
                        "prior '%.100s': nothing varies by '%.80s'; did you mean "
                        "'%.80s'?",
                        s->text, s->name[0], near.best);
    return dlp_fail(error, DLP_EINVAL,
                    "prior '%.100s': nothing varies by '%.80s'; the first %s is "
                    "'%.80s'",
                    s->text, s->name[0], d->n_random > 0 ? "grouping" : "smooth", first);
}

static dlp_status fail_effect(const dlpi_prepared *p, const dlpi_prior_statement *s,
                              dlp_error *error)
{
    const dlp_design *d = p->design;
    struct dlpi_suggestion near = dlpi_suggestion_for(s->name[1]);
    const char *first = NULL;
    for (dlp_index t = 0; t < d->n_random; t++)
        for (dlp_index j = 0; is_about(s, &d->random[t]) && j < d->random[t].q; j++) {
            dlpi_suggestion_consider(&near, d->random[t].name[j]);
            if (!first) first = d->random[t].name[j];
        }
    if (!first)
        return dlp_fail(error, DLP_EINVAL,
                        "prior '%.100s': a smooth has one sd, and no effects to name",
                        s->text);
    return dlp_fail(
        error, DLP_EINVAL,
        "prior '%.100s': no effect of '%.80s' is called '%.80s'; %s '%.80s'%s", s->text,
        s->name[0], s->name[1], near.best ? "did you mean" : "the first is",
        near.best ? near.best : first, near.best ? "?" : "");
}

static dlp_status fail_unused(const dlpi_prepared *p, const dlpi_prior_statement *s,
                              dlp_error *error)
{
    bool group = false;
    for (dlp_index t = 0; t < p->design->n_random; t++)
        group = group || is_about(s, &p->design->random[t]);
    for (dlp_index k = 0; k < p->design->n_smooths; k++)
        group = group || is_about_smooth(s, &p->design->smooth[k]);
    if (!group) return fail_group(p, s, error);
    if (s->of == DLPI_PRIOR_OF_SD) return fail_effect(p, s, error);
    if (s->of == DLPI_PRIOR_OF_SHARE)
        return dlp_fail(error, DLP_EINVAL,
                        "prior '%.100s': only bym2(region) has a share", s->text);
    return dlp_fail(
        error, DLP_EINVAL,
        "prior '%.100s': one effect per level has no correlations; (1 + x | g) "
        "has two effects that may be correlated, (1 | g) and (x || g) have "
        "none",
        s->text);
}

/* ---- the whole ---- */

dlp_status dlpi_random_prior(const dlpi_prepared *p, const dlp_glm_data *rows,
                             double unit, const dlpi_random_priors *out, dlp_error *error)
{
    set_defaults(p, rows, unit, out);
    for (int depth = 0; depth <= 2; depth++)
        for (dlp_index i = 0; i < p->asked.n_priors; i++) {
            const dlpi_prior_statement *s = &p->statement[i];
            if (s->of == DLPI_PRIOR_OF_COEFFICIENT ||
                dlpi_prior_statement_depth(s) != depth)
                continue;
            if (state(p, s, out) == 0) return fail_unused(p, s, error);
        }
    return DLP_OK;
}
