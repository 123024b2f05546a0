/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of families: everything in which they differ. */
#include "glm/families/family.h"

#include "glm/families/beta.h"
#include "glm/families/draw_response.h"
#include "glm/families/latent_variance.h"
#include "glm/families/likelihoods.h"
#include "glm/families/location_scale.h"
#include "glm/families/ordinal_link.h"
#include "glm/families/poisson_links.h"
#include "glm/families/zero.h"
#include "glm/families/zero_negative_binomial.h"
#include "glm/glm_state.h"
#include "math/symmetric/structure.h"

#include <delaplace/special.h>
#include <math.h>
#include <string.h>

/* ---- E[y | eta] ---- */

static double mean_logit(double eta)
{
    return dlp_logistic(eta);
}

static double mean_cloglog(double eta)
{
    return -expm1(-exp(eta));
}

static double mean_identity(double eta)
{
    return eta;
}

static double mean_log(double eta)
{
    return exp(eta);
}

/* ---- which responses are possible ---- */

static bool zero_or_one(double y, double trials)
{
    (void)trials;
    return y == 0 || y == 1;
}

static bool within_trials(double y, double trials)
{
    return y >= 0 && y <= trials && y == floor(y) && trials == floor(trials);
}

static bool is_count(double y, double trials)
{
    (void)trials;
    return y >= 0 && y == floor(y) && y < 1e15;
}

static bool is_finite(double y, double trials)
{
    (void)trials;
    return isfinite(y);
}

static bool is_positive(double y, double trials)
{
    (void)trials;
    return y > 0 && isfinite(y);
}

static bool is_share(double y, double trials)
{
    (void)trials;
    return y > 0 && y < 1;
}

static bool is_level(double y, double most)
{
    return y >= 0 && y <= most && y == floor(y);
}

static const char *const binary = "0 or 1",
                         *const of_trials = "whole, from 0 to the trials",
                         *const counts = "whole numbers from 0",
                         *const of_levels = "whole, from 0 to levels - 1",
                         *const positive_interval = "positive, or an interval from 0 on";

/* ---- parameters, and numbers of extra memory ---- */

static dlp_index plain_parameters(dlp_index p, dlp_index levels)
{
    (void)levels;
    return p;
}

static dlp_index scaled_parameters(dlp_index p, dlp_index levels)
{
    (void)levels;
    return p + 1;
}

static dlp_index no_extra(dlp_index p, dlp_index levels)
{
    (void)p, (void)levels;
    return 0;
}

static dlp_index multinomial_parameters(dlp_index p, dlp_index levels)
{
    return dlpi_size(p, levels - 1, 0);
}

/* pi, C and the trace gradient by eta, a tile each */
static dlp_index multinomial_extra(dlp_index p, dlp_index levels)
{
    (void)p;
    return dlpi_size(dlpi_size(levels - 1, levels + 1, 0), DLPI_TILE, 0);
}

static dlp_index twice_scaled_parameters(dlp_index p, dlp_index levels)
{
    (void)levels;
    return dlpi_size(1, p, 2);
}

static dlp_index ordinal_parameters(dlp_index p, dlp_index levels)
{
    return dlpi_size(1, p, levels - 1);
}

/* see ordinal.c: 2p + J + n + 7 numbers a cut point, and the cut points */
static dlp_index ordinal_extra(dlp_index p, dlp_index levels)
{
    return dlpi_size(levels - 1, dlpi_size(3, p, dlpi_size(2, levels, 8)), 0);
}

/* ---- what describes a family ---- */

static const char *const
    binary_links[] = {"logit", "probit", "cloglog", NULL},
    *const poisson_links[] = {"log", "identity", "sqrt", NULL},
    *const log_link[] = {"log", NULL}, *const identity_link[] = {"identity", NULL},
    *const softmax_link[] = {"softmax", NULL}, *const logit_link[] = {"logit", NULL};

enum {
    BERNOULLI,
    BINOMIAL,
    POISSON,
    NEGATIVE_BINOMIAL,
    GAUSSIAN,
    GAMMA,
    MULTINOMIAL,
    ORDINAL,
    STUDENT,
    TOBIT,
    LOG_NORMAL,
    EXPONENTIAL,
    WEIBULL,
    BETA,
    BETA_BINOMIAL,
    ZERO_INFLATED_POISSON,
    HURDLE_POISSON,
    ZERO_INFLATED_NEGATIVE_BINOMIAL,
    HURDLE_NEGATIVE_BINOMIAL
};

static const dlp_family facts[] = {
    [BERNOULLI] = {"bernoulli", binary_links, DLP_SUPPORT_BINARY, NULL, 0, NULL, 0},
    [BINOMIAL] = {"binomial", binary_links, DLP_SUPPORT_TRIALS, NULL, 0, NULL, 0},
    [POISSON] = {"poisson", poisson_links, DLP_SUPPORT_COUNT, NULL, 0, NULL, 0},
    [NEGATIVE_BINOMIAL] = {"negative-binomial", log_link, DLP_SUPPORT_COUNT, "size", 0,
                           NULL, 0},
    [GAUSSIAN] = {"gaussian", identity_link, DLP_SUPPORT_REAL, "sd", 0, NULL, 0},
    [GAMMA] = {"gamma", log_link, DLP_SUPPORT_POSITIVE, "shape", 0, NULL, 0},
    [MULTINOMIAL] = {"multinomial", softmax_link, DLP_SUPPORT_LEVELS, NULL, 0, NULL, 0},
    [ORDINAL] = {"ordinal", binary_links, DLP_SUPPORT_ORDERED, NULL, 0, NULL, 0},
    [STUDENT] = {"student", identity_link, DLP_SUPPORT_REAL, "scale", 0, NULL, 1},
    [TOBIT] = {"tobit", identity_link, DLP_SUPPORT_REAL, "sd", 1, NULL, 0},
    [LOG_NORMAL] = {"log-normal", log_link, DLP_SUPPORT_POSITIVE, "sd", 1, NULL, 0},
    [EXPONENTIAL] = {"exponential", log_link, DLP_SUPPORT_POSITIVE, NULL, 1, NULL, 0},
    [WEIBULL] = {"weibull", log_link, DLP_SUPPORT_POSITIVE, "scale", 1, NULL, 0},
    [BETA] = {"beta", logit_link, DLP_SUPPORT_SHARE, "precision", 0, NULL, 0},
    [BETA_BINOMIAL] = {"beta-binomial", logit_link, DLP_SUPPORT_TRIALS, "precision", 0,
                       NULL, 0},
    [ZERO_INFLATED_POISSON] = {"zero-inflated-poisson", log_link, DLP_SUPPORT_COUNT,
                               "zero-odds", 0, NULL, 0},
    [HURDLE_POISSON] = {"hurdle-poisson", log_link, DLP_SUPPORT_COUNT, "zero-odds", 0,
                        NULL, 0},
    [ZERO_INFLATED_NEGATIVE_BINOMIAL] = {"zero-inflated-negative-binomial", log_link,
                                         DLP_SUPPORT_COUNT, "zero-odds", 0, "size", 0},
    [HURDLE_NEGATIVE_BINOMIAL] = {"hurdle-negative-binomial", log_link, DLP_SUPPORT_COUNT,
                                  "zero-odds", 0, "size", 0},
};

const dlp_family *dlp_family_at(int i)
{
    return i >= 0 && i < (int)(sizeof facts / sizeof *facts) ? &facts[i] : NULL;
}

/* What R packages call families whose names differ from ours. */
static const struct {
    const char *name;
    int family;
} synonyms[] = {
    {"negbinomial", NEGATIVE_BINOMIAL},
    {"negbin", NEGATIVE_BINOMIAL},
    {"nbinom", NEGATIVE_BINOMIAL},
    {"nbinom2", NEGATIVE_BINOMIAL},
    {"neg_binomial_2", NEGATIVE_BINOMIAL},
    {"negative.binomial", NEGATIVE_BINOMIAL},
    {"negative_binomial", NEGATIVE_BINOMIAL},
    {"zip", ZERO_INFLATED_POISSON},
    {"zinb", ZERO_INFLATED_NEGATIVE_BINOMIAL},
    {"zero_inflated_negbinomial", ZERO_INFLATED_NEGATIVE_BINOMIAL},
    {"hurdle-negbin", HURDLE_NEGATIVE_BINOMIAL},
    {"hurdle_negbinomial", HURDLE_NEGATIVE_BINOMIAL},
    {"truncated_nbinom2", HURDLE_NEGATIVE_BINOMIAL},
    {"Gamma", GAMMA},
};

const dlp_family *dlp_family_find(const char *name)
{
    for (int i = 0; name && dlp_family_at(i); i++)
        if (strcmp(facts[i].name, name) == 0) return &facts[i];
    for (size_t i = 0; name && i < sizeof synonyms / sizeof *synonyms; i++)
        if (strcmp(synonyms[i].name, name) == 0) return &facts[synonyms[i].family];
    return NULL;
}

bool dlpi_is_gaussian(const dlp_family *family)
{
    return family == &facts[GAUSSIAN];
}

bool dlpi_scale_is_noise(const dlp_family *family)
{
    const char *scale = family->scale;
    return scale && (!strcmp(scale, "sd") || !strcmp(scale, "scale"));
}

/* ---- and what computes it, for each link ---- */

static const dlpi_family families[] = {
    {.of = &facts[BERNOULLI],
     .link = "logit",
     .evaluate = dlpi_binomial_logit,
     .mean = mean_logit,
     .supports = zero_or_one,
     .support = binary,
     .draw = dlpi_draw_binary,
     .latent_variance = dlpi_latent_logit,
     .type = &dlpi_glm_type,
     .parameters = plain_parameters,
     .extra = no_extra},
    {.of = &facts[BERNOULLI],
     .link = "probit",
     .evaluate = dlpi_binomial_probit,
     .mean = dlp_normal_cdf,
     .supports = zero_or_one,
     .support = binary,
     .draw = dlpi_draw_binary,
     .latent_variance = dlpi_latent_probit,
     .type = &dlpi_glm_type,
     .parameters = plain_parameters,
     .extra = no_extra},
    {.of = &facts[BERNOULLI],
     .link = "cloglog",
     .evaluate = dlpi_binomial_cloglog,
     .mean = mean_cloglog,
     .supports = zero_or_one,
     .support = binary,
     .draw = dlpi_draw_binary,
     .latent_variance = dlpi_latent_cloglog,
     .type = &dlpi_glm_type,
     .parameters = plain_parameters,
     .extra = no_extra},
    {.of = &facts[BINOMIAL],
     .link = "logit",
     .evaluate = dlpi_binomial_logit,
     .mean = mean_logit,
     .supports = within_trials,
     .support = of_trials,
     .draw = dlpi_draw_successes,
     .latent_variance = dlpi_latent_logit,
     .type = &dlpi_glm_type,
     .parameters = plain_parameters,
     .extra = no_extra},
    {.of = &facts[BINOMIAL],
     .link = "probit",
     .evaluate = dlpi_binomial_probit,
     .mean = dlp_normal_cdf,
     .supports = within_trials,
     .support = of_trials,
     .draw = dlpi_draw_successes,
     .latent_variance = dlpi_latent_probit,
     .type = &dlpi_glm_type,
     .parameters = plain_parameters,
     .extra = no_extra},
    {.of = &facts[BINOMIAL],
     .link = "cloglog",
     .evaluate = dlpi_binomial_cloglog,
     .mean = mean_cloglog,
     .supports = within_trials,
     .support = of_trials,
     .draw = dlpi_draw_successes,
     .latent_variance = dlpi_latent_cloglog,
     .type = &dlpi_glm_type,
     .parameters = plain_parameters,
     .extra = no_extra},
    {.of = &facts[POISSON],
     .link = "log",
     .evaluate = dlpi_poisson_log,
     .mean = mean_log,
     .supports = is_count,
     .support = counts,
     .draw = dlpi_draw_poisson_count,
     .latent_variance = dlpi_latent_poisson,
     .type = &dlpi_glm_type,
     .parameters = plain_parameters,
     .extra = no_extra},
    {.of = &facts[POISSON],
     .link = "identity",
     .linear = true,
     .evaluate = dlpi_poisson_identity,
     .mean = dlpi_positive_mean,
     .supports = is_count,
     .support = counts,
     .draw = dlpi_draw_poisson_count,
     .latent_variance = dlpi_latent_poisson_identity,
     .type = &dlpi_glm_type,
     .parameters = plain_parameters,
     .extra = no_extra,
     .positive = true},
    {.of = &facts[POISSON],
     .link = "sqrt",
     .evaluate = dlpi_poisson_sqrt,
     .mean = dlpi_squared_mean,
     .supports = is_count,
     .support = counts,
     .draw = dlpi_draw_poisson_count,
     .latent_variance = dlpi_latent_poisson_sqrt,
     .type = &dlpi_glm_type,
     .parameters = plain_parameters,
     .extra = no_extra,
     .positive = true},
    {.of = &facts[NEGATIVE_BINOMIAL],
     .link = "log",
     .evaluate = dlpi_negative_binomial_log,
     .mean = mean_log,
     .supports = is_count,
     .support = counts,
     .draw = dlpi_draw_dispersed_count,
     .latent_variance = dlpi_latent_negative_binomial,
     .type = &dlpi_glm_type,
     .parameters = scaled_parameters,
     .extra = no_extra},
    {.of = &facts[GAUSSIAN],
     .link = "identity",
     .linear = true,
     .evaluate = dlpi_gaussian_identity,
     .mean = mean_identity,
     .supports = is_finite,
     .support = "finite",
     .draw = dlpi_draw_gaussian,
     .latent_variance = dlpi_latent_gaussian,
     .type = &dlpi_glm_type,
     .parameters = scaled_parameters,
     .extra = no_extra},
    {.of = &facts[GAMMA],
     .link = "log",
     .evaluate = dlpi_gamma_log,
     .mean = mean_log,
     .supports = is_positive,
     .support = "positive",
     .draw = dlpi_draw_gamma_response,
     .latent_variance = dlpi_latent_gamma,
     .type = &dlpi_glm_type,
     .parameters = scaled_parameters,
     .extra = no_extra},
    {.of = &facts[MULTINOMIAL],
     .link = "softmax",
     .supports = is_level,
     .support = of_levels,
     .type = &dlpi_multinomial_type,
     .parameters = multinomial_parameters,
     .extra = multinomial_extra},
    {.of = &facts[ORDINAL],
     .link = "logit",
     .supports = is_level,
     .support = of_levels,
     .latent_variance = dlpi_latent_logit,
     .type = &dlpi_ordinal_type,
     .parameters = ordinal_parameters,
     .extra = ordinal_extra,
     .ordinal = &dlpi_ordinal_logit},
    {.of = &facts[ORDINAL],
     .link = "probit",
     .supports = is_level,
     .support = of_levels,
     .latent_variance = dlpi_latent_probit,
     .type = &dlpi_ordinal_type,
     .parameters = ordinal_parameters,
     .extra = ordinal_extra,
     .ordinal = &dlpi_ordinal_probit},
    {.of = &facts[ORDINAL],
     .link = "cloglog",
     .supports = is_level,
     .support = of_levels,
     .latent_variance = dlpi_latent_cloglog,
     .type = &dlpi_ordinal_type,
     .parameters = ordinal_parameters,
     .extra = ordinal_extra,
     .ordinal = &dlpi_ordinal_cloglog},
    {.of = &facts[STUDENT],
     .link = "identity",
     .linear = true,
     .evaluate = dlpi_student_identity,
     .mean = mean_identity,
     .supports = is_finite,
     .support = "finite",
     .draw = dlpi_draw_student_response,
     .latent_variance = dlpi_latent_student,
     .type = &dlpi_glm_type,
     .parameters = scaled_parameters,
     .extra = no_extra,
     .bumpy = true},
    {.of = &facts[TOBIT],
     .link = "identity",
     .linear = true,
     .evaluate = dlpi_tobit_identity,
     .mean = mean_identity,
     .supports = dlpi_is_real_interval,
     .support = "finite, or an interval",
     .draw = dlpi_draw_gaussian,
     .latent_variance = dlpi_latent_gaussian,
     .type = &dlpi_glm_type,
     .parameters = scaled_parameters,
     .extra = no_extra,
     .normal = true},
    {.of = &facts[LOG_NORMAL],
     .link = "log",
     .evaluate = dlpi_log_normal_log,
     .mean = mean_log,
     .supports = dlpi_is_positive_interval,
     .support = positive_interval,
     .draw = dlpi_draw_log_normal,
     .latent_variance = dlpi_latent_gaussian,
     .type = &dlpi_glm_type,
     .parameters = scaled_parameters,
     .extra = no_extra,
     .mean_given = dlpi_log_normal_mean,
     .normal = true},
    {.of = &facts[EXPONENTIAL],
     .link = "log",
     .evaluate = dlpi_exponential_log,
     .mean = mean_log,
     .supports = dlpi_is_positive_interval,
     .support = positive_interval,
     .draw = dlpi_draw_exponential,
     .latent_variance = dlpi_latent_exponential,
     .type = &dlpi_glm_type,
     .parameters = plain_parameters,
     .extra = no_extra},
    {.of = &facts[WEIBULL],
     .link = "log",
     .evaluate = dlpi_weibull_log,
     .mean = mean_log,
     .supports = dlpi_is_positive_interval,
     .support = positive_interval,
     .draw = dlpi_draw_weibull,
     .latent_variance = dlpi_latent_weibull,
     .type = &dlpi_glm_type,
     .parameters = scaled_parameters,
     .extra = no_extra,
     .mean_given = dlpi_weibull_mean},
    {.of = &facts[BETA],
     .link = "logit",
     .evaluate = dlpi_beta_logit,
     .mean = mean_logit,
     .supports = is_share,
     .support = "above 0 and below 1",
     .draw = dlpi_draw_share,
     .type = &dlpi_glm_type,
     .parameters = scaled_parameters,
     .extra = no_extra,
     .bumpy = true},
    {.of = &facts[BETA_BINOMIAL],
     .link = "logit",
     .evaluate = dlpi_beta_binomial_logit,
     .mean = mean_logit,
     .supports = within_trials,
     .support = of_trials,
     .draw = dlpi_draw_dispersed_successes,
     .type = &dlpi_glm_type,
     .parameters = scaled_parameters,
     .extra = no_extra,
     .bumpy = true},
    {.of = &facts[ZERO_INFLATED_POISSON],
     .link = "log",
     .evaluate = dlpi_zero_inflated_poisson_log,
     .mean = mean_log,
     .supports = is_count,
     .support = counts,
     .draw = dlpi_draw_inflated_poisson,
     .type = &dlpi_glm_type,
     .parameters = scaled_parameters,
     .extra = no_extra,
     .mean_given = dlpi_zero_inflated_poisson_mean,
     .bumpy = true},
    {.of = &facts[HURDLE_POISSON],
     .link = "log",
     .evaluate = dlpi_hurdle_poisson_log,
     .mean = mean_log,
     .supports = is_count,
     .support = counts,
     .draw = dlpi_draw_hurdle_poisson,
     .type = &dlpi_glm_type,
     .parameters = scaled_parameters,
     .extra = no_extra,
     .mean_given = dlpi_hurdle_poisson_mean},
    {.of = &facts[ZERO_INFLATED_NEGATIVE_BINOMIAL],
     .link = "log",
     .evaluate = dlpi_zero_inflated_negative_binomial_log,
     .mean = mean_log,
     .supports = is_count,
     .support = counts,
     .draw = dlpi_draw_inflated_negative_binomial,
     .type = &dlpi_glm_type,
     .parameters = twice_scaled_parameters,
     .extra = no_extra,
     .mean_given = dlpi_zero_inflated_poisson_mean,
     .bumpy = true},
    {.of = &facts[HURDLE_NEGATIVE_BINOMIAL],
     .link = "log",
     .evaluate = dlpi_hurdle_negative_binomial_log,
     .mean = mean_log,
     .supports = is_count,
     .support = counts,
     .draw = dlpi_draw_hurdle_negative_binomial,
     .type = &dlpi_glm_type,
     .parameters = twice_scaled_parameters,
     .extra = no_extra,
     .mean_given = dlpi_hurdle_negative_binomial_mean,
     .bumpy = true},
};

enum { N_FAMILIES = sizeof families / sizeof *families };

const dlpi_family *dlpi_family_find(const char *name, const char *link)
{
    for (int i = 0; i < N_FAMILIES; i++)
        if (strcmp(families[i].of->name, name) == 0 &&
            (!link || strcmp(families[i].link, link) == 0))
            return &families[i];
    return NULL;
}
