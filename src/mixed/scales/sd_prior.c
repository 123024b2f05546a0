/* SPDX-License-Identifier: BSD-3-Clause */
/* Priors of sds between levels. */
#include <delaplace/random_effects.h>
#include <math.h>
#include <stdio.h>

/* 2 t_df(sd / scale) / scale */
static double log_half_t(double sd, double df, double scale)
{
    const double log_pi = 1.1447298858494001741, z = sd / scale;
    return lgamma((df + 1) / 2) - lgamma(df / 2) - 0.5 * (log(df) + log_pi) +
           log(2 / scale) - (df + 1) / 2 * log1p(z * z / df);
}

/* 2 N(sd; 0, scale^2) */
static double log_half_normal(double sd, double scale)
{
    const double log_2_over_pi = -0.45158270528945486473, z = sd / scale;
    return 0.5 * log_2_over_pi - log(scale) - 0.5 * z * z;
}

/* N(log sd; mean, b^2) / sd */
static double log_normal(double sd, double mean, double b)
{
    const double half_log_2_pi = 0.91893853320467274178, z = (log(sd) - mean) / b;
    return sd > 0 ? -half_log_2_pi - log(b) - 0.5 * z * z - log(sd) : -INFINITY;
}

double dlp_sd_prior_log_density(const dlp_sd_prior *prior, double sd)
{
    const double a = prior->a, b = prior->b;
    if (!(sd >= 0)) return -INFINITY;
    switch (prior->distribution) {
    case DLP_SD_HALF_T: return log_half_t(sd, a, b);
    case DLP_SD_HALF_NORMAL: return log_half_normal(sd, a);
    case DLP_SD_EXPONENTIAL: return log(a) - a * sd;
    case DLP_SD_UNIFORM: return sd >= a && sd <= b ? -log(b - a) : -INFINITY;
    case DLP_SD_LOG_NORMAL: return log_normal(sd, a, b);
    case DLP_SD_FIXED: return sd == a ? 0 : -INFINITY;
    }
    return -INFINITY;
}

void dlp_sd_prior_text(const dlp_sd_prior *prior, int digits, char *out, size_t room)
{
    static const char *const names[] = {
        [DLP_SD_HALF_T] = "half_t",           [DLP_SD_HALF_NORMAL] = "half_normal",
        [DLP_SD_EXPONENTIAL] = "exponential", [DLP_SD_UNIFORM] = "uniform",
        [DLP_SD_LOG_NORMAL] = "lognormal",    [DLP_SD_FIXED] = "fixed"};
    const char *name = names[prior->distribution];
    const int two = prior->distribution == DLP_SD_HALF_T ||
                    prior->distribution == DLP_SD_UNIFORM ||
                    prior->distribution == DLP_SD_LOG_NORMAL;
    if (two)
        snprintf(out, room, "%s(%.*g, %.*g)", name, digits, prior->a, digits, prior->b);
    else
        snprintf(out, room, "%s(%.*g)", name, digits, prior->a);
}
