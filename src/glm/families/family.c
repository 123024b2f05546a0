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

static const dlp_family facts[] = {
    [DLPI_BERNOULLI] = {"bernoulli", binary_links, DLP_SUPPORT_BINARY, NULL, 0, NULL, 0,
                        DLP_SCALE_NONE},
    [DLPI_BINOMIAL] = {"binomial", binary_links, DLP_SUPPORT_TRIALS, NULL, 0, NULL, 0,
                       DLP_SCALE_NONE},
    [DLPI_POISSON] = {"poisson", poisson_links, DLP_SUPPORT_COUNT, NULL, 0, NULL, 0,
                      DLP_SCALE_NONE},
    [DLPI_NEGATIVE_BINOMIAL] = {"negative-binomial", log_link, DLP_SUPPORT_COUNT, "size",
                                0, NULL, 0, DLP_SCALE_SHAPE},
    [DLPI_GAUSSIAN] = {"gaussian", identity_link, DLP_SUPPORT_REAL, "sd", 0, NULL, 0,
                       DLP_SCALE_NOISE},
    [DLPI_GAMMA] = {"gamma", log_link, DLP_SUPPORT_POSITIVE, "shape", 0, NULL, 0,
                    DLP_SCALE_SHAPE},
    [DLPI_MULTINOMIAL] = {"multinomial", softmax_link, DLP_SUPPORT_LEVELS, NULL, 0, NULL,
                          0, DLP_SCALE_NONE},
    [DLPI_ORDINAL] = {"ordinal", binary_links, DLP_SUPPORT_ORDERED, NULL, 0, NULL, 0,
                      DLP_SCALE_NONE},
    [DLPI_STUDENT] = {"student", identity_link, DLP_SUPPORT_REAL, "scale", 0, NULL, 1,
                      DLP_SCALE_NOISE},
    [DLPI_TOBIT] = {"tobit", identity_link, DLP_SUPPORT_REAL, "sd", 1, NULL, 0,
                    DLP_SCALE_NOISE},
    [DLPI_LOG_NORMAL] = {"log-normal", log_link, DLP_SUPPORT_POSITIVE, "sd", 1, NULL, 0,
                         DLP_SCALE_NOISE},
    [DLPI_EXPONENTIAL] = {"exponential", log_link, DLP_SUPPORT_POSITIVE, NULL, 1, NULL, 0,
                          DLP_SCALE_NONE},
    [DLPI_WEIBULL] = {"weibull", log_link, DLP_SUPPORT_POSITIVE, "scale", 1, NULL, 0,
                      DLP_SCALE_NOISE},
    [DLPI_BETA] = {"beta", logit_link, DLP_SUPPORT_SHARE, "precision", 0, NULL, 0,
                   DLP_SCALE_OTHER},
    [DLPI_BETA_BINOMIAL] = {"beta-binomial", logit_link, DLP_SUPPORT_TRIALS, "precision",
                            0, NULL, 0, DLP_SCALE_OTHER},
    [DLPI_ZERO_INFLATED_POISSON] = {"zero-inflated-poisson", log_link, DLP_SUPPORT_COUNT,
                                    "zero-odds", 0, NULL, 0, DLP_SCALE_OTHER},
    [DLPI_HURDLE_POISSON] = {"hurdle-poisson", log_link, DLP_SUPPORT_COUNT, "zero-odds",
                             0, NULL, 0, DLP_SCALE_OTHER},
    [DLPI_ZERO_INFLATED_NEGATIVE_BINOMIAL] = {"zero-inflated-negative-binomial", log_link,
                                              DLP_SUPPORT_COUNT, "zero-odds", 0, "size",
                                              0, DLP_SCALE_OTHER},
    [DLPI_HURDLE_NEGATIVE_BINOMIAL] = {"hurdle-negative-binomial", log_link,
                                       DLP_SUPPORT_COUNT, "zero-odds", 0, "size", 0,
                                       DLP_SCALE_OTHER},
};

const char *dlp_link_name(int i)
{
    static const char *const names[] = {
        [DLP_LINK_LOGIT] = "logit",       [DLP_LINK_PROBIT] = "probit",
        [DLP_LINK_CLOGLOG] = "cloglog",   [DLP_LINK_LOG] = "log",
        [DLP_LINK_IDENTITY] = "identity", [DLP_LINK_SQRT] = "sqrt",
        [DLP_LINK_SOFTMAX] = "softmax"};
    return i >= 0 && i < (int)(sizeof names / sizeof *names) ? names[i] : NULL;
}

const dlp_family *dlp_family_at(int i)
{
    return i >= 0 && i < (int)(sizeof facts / sizeof *facts) ? &facts[i] : NULL;
}

/* What R packages call families whose names differ from ours. */
static const struct {
    const char *name;
    int family;
} synonyms[] = {
    {"negbinomial", DLPI_NEGATIVE_BINOMIAL},
    {"negbin", DLPI_NEGATIVE_BINOMIAL},
    {"nbinom", DLPI_NEGATIVE_BINOMIAL},
    {"nbinom2", DLPI_NEGATIVE_BINOMIAL},
    {"neg_binomial_2", DLPI_NEGATIVE_BINOMIAL},
    {"negative.binomial", DLPI_NEGATIVE_BINOMIAL},
    {"negative_binomial", DLPI_NEGATIVE_BINOMIAL},
    {"zip", DLPI_ZERO_INFLATED_POISSON},
    {"zinb", DLPI_ZERO_INFLATED_NEGATIVE_BINOMIAL},
    {"zero_inflated_negbinomial", DLPI_ZERO_INFLATED_NEGATIVE_BINOMIAL},
    {"hurdle-negbin", DLPI_HURDLE_NEGATIVE_BINOMIAL},
    {"hurdle_negbinomial", DLPI_HURDLE_NEGATIVE_BINOMIAL},
    {"truncated_nbinom2", DLPI_HURDLE_NEGATIVE_BINOMIAL},
    {"Gamma", DLPI_GAMMA},
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
    return family == &facts[DLPI_GAUSSIAN];
}

/* ---- and what computes it, for each link ---- */

static const dlpi_family families[] = {
    {.of = &facts[DLPI_BERNOULLI],
     .link = DLP_LINK_LOGIT,
     .evaluate = dlpi_binomial_logit,
     .mean = mean_logit,
     .supports = zero_or_one,
     .support = binary,
     .draw = dlpi_draw_binary,
     .latent_variance = dlpi_latent_logit,
     .type = &dlpi_glm_type,
     .parameters = plain_parameters,
     .extra = no_extra},
    {.of = &facts[DLPI_BERNOULLI],
     .link = DLP_LINK_PROBIT,
     .evaluate = dlpi_binomial_probit,
     .mean = dlp_normal_cdf,
     .supports = zero_or_one,
     .support = binary,
     .draw = dlpi_draw_binary,
     .latent_variance = dlpi_latent_probit,
     .type = &dlpi_glm_type,
     .parameters = plain_parameters,
     .extra = no_extra},
    {.of = &facts[DLPI_BERNOULLI],
     .link = DLP_LINK_CLOGLOG,
     .evaluate = dlpi_binomial_cloglog,
     .mean = mean_cloglog,
     .supports = zero_or_one,
     .support = binary,
     .draw = dlpi_draw_binary,
     .latent_variance = dlpi_latent_cloglog,
     .type = &dlpi_glm_type,
     .parameters = plain_parameters,
     .extra = no_extra},
    {.of = &facts[DLPI_BINOMIAL],
     .link = DLP_LINK_LOGIT,
     .evaluate = dlpi_binomial_logit,
     .mean = mean_logit,
     .supports = within_trials,
     .support = of_trials,
     .draw = dlpi_draw_successes,
     .latent_variance = dlpi_latent_logit,
     .type = &dlpi_glm_type,
     .parameters = plain_parameters,
     .extra = no_extra},
    {.of = &facts[DLPI_BINOMIAL],
     .link = DLP_LINK_PROBIT,
     .evaluate = dlpi_binomial_probit,
     .mean = dlp_normal_cdf,
     .supports = within_trials,
     .support = of_trials,
     .draw = dlpi_draw_successes,
     .latent_variance = dlpi_latent_probit,
     .type = &dlpi_glm_type,
     .parameters = plain_parameters,
     .extra = no_extra},
    {.of = &facts[DLPI_BINOMIAL],
     .link = DLP_LINK_CLOGLOG,
     .evaluate = dlpi_binomial_cloglog,
     .mean = mean_cloglog,
     .supports = within_trials,
     .support = of_trials,
     .draw = dlpi_draw_successes,
     .latent_variance = dlpi_latent_cloglog,
     .type = &dlpi_glm_type,
     .parameters = plain_parameters,
     .extra = no_extra},
    {.of = &facts[DLPI_POISSON],
     .link = DLP_LINK_LOG,
     .evaluate = dlpi_poisson_log,
     .mean = mean_log,
     .supports = is_count,
     .support = counts,
     .draw = dlpi_draw_poisson_count,
     .latent_variance = dlpi_latent_poisson,
     .type = &dlpi_glm_type,
     .parameters = plain_parameters,
     .extra = no_extra},
    {.of = &facts[DLPI_POISSON],
     .link = DLP_LINK_IDENTITY,
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
    {.of = &facts[DLPI_POISSON],
     .link = DLP_LINK_SQRT,
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
    {.of = &facts[DLPI_NEGATIVE_BINOMIAL],
     .link = DLP_LINK_LOG,
     .evaluate = dlpi_negative_binomial_log,
     .mean = mean_log,
     .supports = is_count,
     .support = counts,
     .draw = dlpi_draw_dispersed_count,
     .latent_variance = dlpi_latent_negative_binomial,
     .type = &dlpi_glm_type,
     .parameters = scaled_parameters,
     .extra = no_extra},
    {.of = &facts[DLPI_GAUSSIAN],
     .link = DLP_LINK_IDENTITY,
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
    {.of = &facts[DLPI_GAMMA],
     .link = DLP_LINK_LOG,
     .evaluate = dlpi_gamma_log,
     .mean = mean_log,
     .supports = is_positive,
     .support = "positive",
     .draw = dlpi_draw_gamma_response,
     .latent_variance = dlpi_latent_gamma,
     .type = &dlpi_glm_type,
     .parameters = scaled_parameters,
     .extra = no_extra},
    {.of = &facts[DLPI_MULTINOMIAL],
     .link = DLP_LINK_SOFTMAX,
     .supports = is_level,
     .support = of_levels,
     .type = &dlpi_multinomial_type,
     .parameters = multinomial_parameters,
     .extra = multinomial_extra},
    {.of = &facts[DLPI_ORDINAL],
     .link = DLP_LINK_LOGIT,
     .supports = is_level,
     .support = of_levels,
     .latent_variance = dlpi_latent_logit,
     .type = &dlpi_ordinal_type,
     .parameters = ordinal_parameters,
     .extra = ordinal_extra,
     .ordinal = &dlpi_ordinal_logit},
    {.of = &facts[DLPI_ORDINAL],
     .link = DLP_LINK_PROBIT,
     .supports = is_level,
     .support = of_levels,
     .latent_variance = dlpi_latent_probit,
     .type = &dlpi_ordinal_type,
     .parameters = ordinal_parameters,
     .extra = ordinal_extra,
     .ordinal = &dlpi_ordinal_probit},
    {.of = &facts[DLPI_ORDINAL],
     .link = DLP_LINK_CLOGLOG,
     .supports = is_level,
     .support = of_levels,
     .latent_variance = dlpi_latent_cloglog,
     .type = &dlpi_ordinal_type,
     .parameters = ordinal_parameters,
     .extra = ordinal_extra,
     .ordinal = &dlpi_ordinal_cloglog},
    {.of = &facts[DLPI_STUDENT],
     .link = DLP_LINK_IDENTITY,
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
    {.of = &facts[DLPI_TOBIT],
     .link = DLP_LINK_IDENTITY,
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
    {.of = &facts[DLPI_LOG_NORMAL],
     .link = DLP_LINK_LOG,
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
    {.of = &facts[DLPI_EXPONENTIAL],
     .link = DLP_LINK_LOG,
     .evaluate = dlpi_exponential_log,
     .mean = mean_log,
     .supports = dlpi_is_positive_interval,
     .support = positive_interval,
     .draw = dlpi_draw_exponential,
     .latent_variance = dlpi_latent_exponential,
     .type = &dlpi_glm_type,
     .parameters = plain_parameters,
     .extra = no_extra},
    {.of = &facts[DLPI_WEIBULL],
     .link = DLP_LINK_LOG,
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
    {.of = &facts[DLPI_BETA],
     .link = DLP_LINK_LOGIT,
     .evaluate = dlpi_beta_logit,
     .mean = mean_logit,
     .supports = is_share,
     .support = "above 0 and below 1",
     .draw = dlpi_draw_share,
     .type = &dlpi_glm_type,
     .parameters = scaled_parameters,
     .extra = no_extra,
     .bumpy = true},
    {.of = &facts[DLPI_BETA_BINOMIAL],
     .link = DLP_LINK_LOGIT,
     .evaluate = dlpi_beta_binomial_logit,
     .mean = mean_logit,
     .supports = within_trials,
     .support = of_trials,
     .draw = dlpi_draw_dispersed_successes,
     .type = &dlpi_glm_type,
     .parameters = scaled_parameters,
     .extra = no_extra,
     .bumpy = true},
    {.of = &facts[DLPI_ZERO_INFLATED_POISSON],
     .link = DLP_LINK_LOG,
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
    {.of = &facts[DLPI_HURDLE_POISSON],
     .link = DLP_LINK_LOG,
     .evaluate = dlpi_hurdle_poisson_log,
     .mean = mean_log,
     .supports = is_count,
     .support = counts,
     .draw = dlpi_draw_hurdle_poisson,
     .type = &dlpi_glm_type,
     .parameters = scaled_parameters,
     .extra = no_extra,
     .mean_given = dlpi_hurdle_poisson_mean},
    {.of = &facts[DLPI_ZERO_INFLATED_NEGATIVE_BINOMIAL],
     .link = DLP_LINK_LOG,
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
    {.of = &facts[DLPI_HURDLE_NEGATIVE_BINOMIAL],
     .link = DLP_LINK_LOG,
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

const dlpi_family dlpi_bounded_family = {.of = &facts[DLPI_BERNOULLI],
                                         .link = DLP_LINK_LOGIT,
                                         .evaluate = dlpi_bounded_logit,
                                         .type = &dlpi_jaakkola_jordan_type};

const dlpi_family *dlpi_family_of(const dlp_family *family, dlp_link_kind link)
{
    for (int i = 0; i < N_FAMILIES; i++)
        if (families[i].of == family && families[i].link == link) return &families[i];
    return NULL;
}

const dlpi_family *dlpi_family_find(const char *name, const char *link)
{
    for (int i = 0; i < N_FAMILIES; i++)
        if (strcmp(families[i].of->name, name) == 0 &&
            (!link || strcmp(dlp_link_name((int)families[i].link), link) == 0))
            return &families[i];
    return NULL;
}
