/* SPDX-License-Identifier: BSD-3-Clause */
/* Units: a column measured in others, with its prior, has the same posterior in them,
   whatever the family and the method; and columns that nobody centred are no trouble. */
#include "glm_sample.h"

typedef struct posterior {
    dlp_index n;
    double mean[3 * P + 3], sd[3 * P + 3];
    dlp_outcome outcome;
    int fallbacks;
} posterior;

static posterior fit(const char *family, const char *link, const char *method,
                     const dlp_glm_data *data, const dlp_glm_prior *prior)
{
    const bool bound = strcmp(method, "jaakkola-jordan") == 0;
    dlp_settings settings = dlp_settings_default();
    dlp_glm *glm = NULL;
    dlp_fit *engine = NULL;
    posterior q = {0};
    settings.method = bound ? "laplace" : method;
    assert_ok(dlp_glm_alloc(family, link, data, prior, &glm, error));
    if (bound) assert_ok(dlp_glm_use_jaakkola_jordan(glm, error));
    const dlp_model model = dlp_glm_model(glm);
    assert_ok(dlp_fit_alloc(&model, &settings, &engine, error));
    assert_ok(dlp_fit_run(engine, NULL, error));
    const dlp_result *r = dlp_fit_result(engine);
    q.n = r->n;
    q.outcome = r->outcome;
    q.fallbacks = r->fallbacks;
    memcpy(q.mean, r->mu, (size_t)r->n * sizeof *q.mean);
    dlp_fit_sd(engine, q.sd);
    dlp_fit_free(engine);
    dlp_glm_free(glm);
    return q;
}

/* The columns and their prior in other units: x_j times unit[j]. */
typedef struct rescaled {
    sample s;
    double mean[P], sd[P], covariance[P * P];
    dlp_glm_prior prior;
} rescaled;

enum { GAUSSIAN, STUDENT, FULL, PRIORS };

static void rescale(const sample *s, const double *unit, int kind, rescaled *r)
{
    static const double mean[P] = {0.3, -0.2, 0.1}, sd[P] = {2.1, 0.8, 1.3};
    r->s = *s;
    r->prior = dlp_glm_prior_default();
    for (int j = 0; j < P; j++) {
        for (int i = 0; i < N; i++) r->s.columns[j][i] *= unit[j];
        r->s.x[j] = r->s.columns[j];
        r->mean[j] = mean[j] / unit[j];
        r->sd[j] = sd[j] / unit[j];
        for (int k = 0; k < P; k++)
            r->covariance[j * P + k] =
                (j == k ? 1.3 : 0.4) * sd[j] * sd[k] / unit[j] / unit[k];
    }
    r->s.data.x = r->s.x;
    r->prior.mean = r->mean;
    r->prior.sd = r->sd;
    if (kind == STUDENT) r->prior.df = 4;
    if (kind == FULL) r->prior.covariance = r->covariance;
}

static void units_do_not_matter_to(const char *family, const char *link,
                                   const char *method, int kind)
{
    static const double one[P] = {1, 1, 1};
    static const double units[][P] = {{1, 0x1p30, 0x1p-30}, {1, 1e9, 1e9},
                                      {1, 1e-9, 1e-9},      {1, 1e-8, 1e8},
                                      {1e-20, 1e20, 3e-7},  {1e15, 1e-15, 1e20}};
    sample s;
    rescaled r;
    draw_sample(&s, family, 7);
    rescale(&s, one, kind, &r);
    const posterior wanted = fit(family, link, method, &r.s.data, &r.prior);
    /* previous-mean need not end well in families with a scale */
    if (strcmp(method, "previous-mean") == 0 && wanted.outcome != DLP_CONVERGED) return;
    if (wanted.outcome != DLP_CONVERGED)
        print_error("%s %s %s, prior %d: %s\n", family, link, method, kind,
                    dlp_outcome_name(wanted.outcome));
    assert_int_equal(wanted.outcome, DLP_CONVERGED);
    for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
        rescale(&s, units[u], kind, &r);
        const posterior q = fit(family, link, method, &r.s.data, &r.prior);
        const dlp_index coefs = strcmp(family, "multinomial") == 0 ? q.n : P;
        double worst = 0;
        for (dlp_index i = 0; i < q.n; i++) {
            const double unit = i < coefs ? units[u][i % P] : 1;
            worst = fmax(worst, fabs(q.mean[i] * unit - wanted.mean[i]) / wanted.sd[i]);
            worst = fmax(worst, fabs(q.sd[i] * unit / wanted.sd[i] - 1));
        }
        const bool same = q.outcome == DLP_CONVERGED && q.fallbacks == wanted.fallbacks;
        if (!(worst <= 1e-6) || !same) {
            print_error(
                "%s %s %s, prior %d, units %zu: off by %.2g sds, %s, %d "
                "fallbacks, not %d\n",
                family, link, method, kind, u, worst, dlp_outcome_name(q.outcome),
                q.fallbacks, wanted.fallbacks);
            fail();
        }
    }
}

static void units_do_not_matter(void **state)
{
    (void)state;
    static const char *const methods[] = {"laplace", "delta", "previous-mean",
                                          "jaakkola-jordan"};
    for (int k = 0; dlp_family_at(k); k++)
        for (int l = 0; dlp_family_at(k)->link[l]; l++)
            for (int m = 0; m < 4; m++)
                for (int prior = 0; prior < PRIORS; prior++) {
                    const char *family = dlp_family_at(k)->name;
                    const char *link = dlp_family_at(k)->link[l];
                    if (needs_positive(family, link)) continue;
                    if (m == 3 &&
                        (strcmp(link, "logit") != 0 || strcmp(family, "ordinal") == 0 ||
                         dlp_family_at(k)->scale))
                        continue;
                    units_do_not_matter_to(family, link, methods[m], prior);
                }
}

/* ---- columns that nobody centred, against arithmetic with more digits ---- */

/* Laplace's posterior of a logistic or Poisson regression on a constant and x, by Newton
   in long double; all priors N(0, sd^2). */
typedef struct exact {
    long double mean[2], sd[2];
} exact;

static exact fit_exactly(bool logistic, const double *x, const double *y, long double sd)
{
    long double b[2] = {0}, H[3] = {0};
    for (int step = 0; step < 200; step++) {
        long double g[2] = {-b[0] / sd / sd, -b[1] / sd / sd};
        H[0] = H[2] = 1 / sd / sd;
        H[1] = 0;
        for (int i = 0; i < N; i++) {
            const long double eta = b[0] + b[1] * (long double)x[i];
            const long double m = logistic ? 1 / (1 + expl(-eta)) : expl(eta);
            const long double w = logistic ? m * (1 - m) : m, off = (long double)y[i] - m;
            g[0] += off;
            g[1] += off * (long double)x[i];
            H[0] += w;
            H[1] += w * (long double)x[i];
            H[2] += w * (long double)x[i] * (long double)x[i];
        }
        const long double det = H[0] * H[2] - H[1] * H[1];
        const long double length = step < 100 ? 0.3L : 1; /* slow, and sure */
        b[0] += length * (H[2] * g[0] - H[1] * g[1]) / det;
        b[1] += length * (H[0] * g[1] - H[1] * g[0]) / det;
    }
    const long double det = H[0] * H[2] - H[1] * H[1];
    return (exact){{b[0], b[1]}, {sqrtl(H[2] / det), sqrtl(H[0] / det)}};
}

static void columns_need_no_centring(void **state)
{
    (void)state;
    static const struct {
        double centre, spread, prior_sd, tolerance;
    } columns[] = {{2018, 4.5, 1, 1e-7},
                   {2018, 4.5, 1000, 1e-7},
                   {1e6, 1, 10, 1e-7},
                   {1.7e9, 1e7, 1e6, 1e-7},
                   {1.7e9, 1e5, 1e6, 1e-5}};
    for (int logistic = 0; logistic < 2; logistic++)
        for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
            const char *family = logistic ? "bernoulli" : "poisson";
            sample s;
            draw_sample(&s, family, 9);
            for (int i = 0; i < N; i++)
                s.columns[1][i] =
                    round(columns[k].centre + columns[k].spread * s.columns[1][i]);
            s.data.p = 2;
            s.data.offset = NULL;
            dlp_glm_prior prior = dlp_glm_prior_default();
            prior.sd_all = columns[k].prior_sd;
            const exact wanted = fit_exactly(logistic, s.columns[1], s.y, prior.sd_all);
            const posterior q = fit(family, NULL, "laplace", &s.data, &prior);
            assert_int_equal(q.outcome, DLP_CONVERGED);
            for (int j = 0; j < 2; j++) {
                const double off = (double)((q.mean[j] - wanted.mean[j]) / wanted.sd[j]);
                const double ratio = (double)(q.sd[j] / wanted.sd[j]);
                assert_near(off, 0, columns[k].tolerance);
                assert_near(ratio, 1, columns[k].tolerance);
            }
        }
}

/* ---- numbers so large that f itself is blurred ---- */

static void large_counts_have_a_posterior(void **state)
{
    (void)state;
    static const struct {
        const char *family;
        double size;
    } cases[] = {{"poisson", 1e3},
                 {"poisson", 1e6},
                 {"poisson", 1e9},
                 {"negative-binomial", 1e3},
                 {"negative-binomial", 1e6}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const double size = cases[k].size;
        sample s;
        draw_sample(&s, "poisson", 12);
        for (int i = 0; i < N; i++) {
            dlp_rng rng = dlp_rng_at(13, (uint64_t)i);
            const double mean = size * exp(0.3 * s.columns[1][i]);
            s.y[i] = round(mean + sqrt(mean) * dlp_draw_normal(&rng));
        }
        s.data.p = 2;
        s.data.offset = NULL;
        dlp_glm_prior prior = dlp_glm_prior_default();
        prior.sd_all = 30;
        const posterior q = fit(cases[k].family, NULL, "delta", &s.data, &prior);
        assert_int_equal(q.outcome, DLP_CONVERGED);
        assert_near(q.mean[0], log(size), 5 * q.sd[0]);
        assert_near(q.mean[1], 0.3, 5 * q.sd[1]);
        assert_near(q.sd[0] * sqrt(N * size), 1, 0.3);
    }
}

/* ---- what is refused ---- */

static void beyond_the_largest_is_refused(void **state)
{
    (void)state;
    sample s;
    dlp_glm *glm = NULL;
    dlp_glm_prior prior = dlp_glm_prior_default();
    draw_sample(&s, "gaussian", 7);
    s.columns[2][4] = 1e101;
    assert_fails(dlp_glm_alloc("gaussian", NULL, &s.data, &prior, &glm, error),
                 DLP_EINPUT, "row 5: column 3 is 1e+101");
    draw_sample(&s, "gaussian", 7);
    s.offset[1] = -INFINITY;
    assert_fails(dlp_glm_alloc("gaussian", NULL, &s.data, &prior, &glm, error),
                 DLP_EINPUT, "row 2: offset 1 is -inf");
    draw_sample(&s, "gaussian", 7);
    s.y[6] = -1e21;
    assert_fails(dlp_glm_alloc("gaussian", NULL, &s.data, &prior, &glm, error),
                 DLP_EINPUT, "row 7: the response is -1e+21; use units");
    draw_sample(&s, "gaussian", 7);
    prior.sd_all = 1e-101;
    assert_fails(dlp_glm_alloc("gaussian", NULL, &s.data, &prior, &glm, error),
                 DLP_EINVAL, "coefficient 1 has prior mean 0 and sd 1e-101");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(columns_need_no_centring),
        cmocka_unit_test(large_counts_have_a_posterior),
        cmocka_unit_test(beyond_the_largest_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
