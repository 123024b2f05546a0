/* SPDX-License-Identifier: BSD-3-Clause */
/* Data for a regression of any family. */
#ifndef DLP_TESTS_GLM_SAMPLE_H
#define DLP_TESTS_GLM_SAMPLE_H

#include "support.h"

enum { N = 40, P = 3 };

/* Whether the predictor must be positive, which those of these data are not everywhere. */
static inline bool needs_positive(const char *family, const char *link)
{
    return !strcmp(family, "poisson") && strcmp(link, "log") != 0;
}

/* Data with a possible response for the family, keyed by seed. */
typedef struct sample {
    double columns[P][N], y[N], trials[N], offset[N];
    const double *x[P];
    dlp_glm_data data;
} sample;

static inline double response(const char *family, double eta, double trials, dlp_rng *rng)
{
    if (strcmp(family, "bernoulli") == 0)
        return dlp_draw_uniform(rng) < dlp_logistic(eta);
    if (strcmp(family, "binomial") == 0 || strcmp(family, "beta-binomial") == 0) {
        double y = 0;
        for (int k = 0; k < trials; k++) y += dlp_draw_uniform(rng) < dlp_logistic(eta);
        return y;
    }
    if (strcmp(family, "multinomial") == 0 || strcmp(family, "ordinal") == 0)
        return floor(4 * dlp_logistic(eta + dlp_draw_normal(rng)));
    if (strcmp(family, "gaussian") == 0 || strcmp(family, "student") == 0 ||
        strcmp(family, "tobit") == 0)
        return eta + 0.7 * dlp_draw_normal(rng);
    if (strcmp(family, "beta") == 0) return dlp_logistic(eta + dlp_draw_normal(rng));
    if (strcmp(family, "gamma") == 0 || dlp_family_find(family)->censored)
        return exp(eta) * dlp_draw_gamma(rng, 2.385) / 2.385;
    return floor(exp(eta) * dlp_draw_gamma(rng, 1.5));
}

/* Every other row of a family that can be censored is: above y, below it, or around it. */
static inline void censor(sample *s, bool positive)
{
    for (int i = 0; i < N; i++) {
        const double y = s->y[i];
        s->trials[i] = i % 8 == 1 ? INFINITY : i % 8 == 5 ? y + 0.6 : y;
        if (i % 8 == 3) s->y[i] = positive ? 0 : -INFINITY;
        if (i % 8 == 5) s->y[i] = positive ? 0.5 * y : y - 0.4;
    }
    s->data.trials = s->trials;
}

static inline void draw_sample(sample *s, const char *family, uint64_t seed)
{
    memset(s, 0, sizeof *s);
    for (int i = 0; i < N; i++) {
        dlp_rng rng = dlp_rng_at(seed, (uint64_t)i);
        double eta = 0;
        for (int j = 0; j < P; j++) {
            s->columns[j][i] = j == 0 ? 1 : dlp_draw_normal(&rng);
            eta += (0.6 - 0.5 * j) * s->columns[j][i];
        }
        s->offset[i] = 0.2 * dlp_draw_normal(&rng);
        s->trials[i] = 1 + floor(6 * dlp_draw_uniform(&rng));
        s->y[i] = response(family, eta + s->offset[i], s->trials[i], &rng);
    }
    for (int j = 0; j < P; j++) s->x[j] = s->columns[j];
    s->data = (dlp_glm_data){.N = N, .p = P, .x = s->x, .y = s->y, .offset = s->offset};
    if (dlp_family_find(family)->support == DLP_SUPPORT_TRIALS)
        s->data.trials = s->trials;
    if (dlp_family_find(family)->censored) censor(s, strcmp(family, "tobit") != 0);
    if (strcmp(family, "multinomial") == 0 || strcmp(family, "ordinal") == 0) {
        s->data.levels = 4;
        s->data.offset = NULL;
    }
}

#endif
