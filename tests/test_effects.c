/* SPDX-License-Identifier: BSD-3-Clause */
/* Effects of covariates on topics: that they are regressions, that the intervals cover
   what they should, and that the number of threads does not matter. */
#include "support.h"

#include "failing_allocator.h"

enum { K = 3, V = 24, P = 3, D = 200, WORDS = 40 };

typedef struct sample {
    dlp_topics topics;
    dlp_covariates covariates;
    double *X;     /* (D, P) 1, a year, a 0 or 1 */
    double *theta; /* (D, K) */
    dlp_corpus *corpus;
} sample;

/* Topics that share words, and effects of both covariates. */
static void make_topics(sample *s, double sd, double common)
{
    assert_ok(dlp_topics_alloc(K, V, P, &s->topics, error));
    for (dlp_index k = 0; k < K; k++) {
        double sum = 0;
        for (dlp_index v = 0; v < V; v++) {
            s->topics.beta[k * V + v] = v % K == k ? 1 : common;
            sum += s->topics.beta[k * V + v];
        }
        for (dlp_index v = 0; v < V; v++) s->topics.beta[k * V + v] /= sum;
        s->topics.Sigma0[k * (K + 1)] = sd * sd;
        s->topics.Gamma[K + k] = 0.02 * (double)(k - 1);
        s->topics.Gamma[(P - 1) * (dlp_index)K + k] = k == 0 ? 0.9 : -0.3;
        s->topics.Gamma[k] = -2000 * s->topics.Gamma[K + k];
    }
}

static void draw_theta(const sample *s, dlp_index d, dlp_rng *rng)
{
    for (dlp_index k = 0; k < K; k++) {
        double mean = 0;
        for (dlp_index j = 0; j < P; j++)
            mean += s->X[d * P + j] * s->topics.Gamma[j * K + k];
        s->theta[d * K + k] =
            mean + sqrt(s->topics.Sigma0[k * (K + 1)]) * dlp_draw_normal(rng);
    }
}

static void proportions(const double *theta, double *pi)
{
    const double sum = dlp_logsumexp(K, theta);
    for (dlp_index k = 0; k < K; k++) pi[k] = exp(theta[k] - sum);
}

static void draw_words(const sample *s, const double *theta, dlp_rng *rng, int32_t *count)
{
    double pi[K];
    proportions(theta, pi);
    for (int i = 0; i < WORDS; i++) {
        const dlp_index z = dlp_draw_categorical(rng, K, pi);
        count[dlp_draw_categorical(rng, V, s->topics.beta + z * V)]++;
    }
}

static void make_sample_of(sample *s, double sd, double common, uint64_t seed)
{
    *s = (sample){0};
    make_topics(s, sd, common);
    s->X = calloc((size_t)D * P, sizeof *s->X);
    s->theta = calloc((size_t)D * K, sizeof *s->theta);
    int32_t *count = calloc((size_t)D * V, sizeof *count);
    for (dlp_index d = 0; d < D; d++) {
        dlp_rng rng = dlp_rng_at(seed, (uint64_t)d);
        s->X[d * P] = 1;
        s->X[d * P + 1] = 1990 + (double)(d % 23);
        s->X[d * P + 2] = (double)(d % 2);
        draw_theta(s, d, &rng);
        draw_words(s, s->theta + d * K, &rng, count + d * V);
    }
    s->covariates = (dlp_covariates){.D = D, .p = P, .X = s->X};
    assert_ok(dlp_corpus_from_counts(D, V, count, &s->corpus, error));
    free(count);
}

static void make_sample(sample *s, double sd, uint64_t seed)
{
    make_sample_of(s, sd, 0.15, seed);
}

static void free_sample(sample *s)
{
    dlp_topics_free(&s->topics);
    dlp_corpus_free(s->corpus);
    free(s->X);
    free(s->theta);
}

static void find_effects(const sample *s, const dlp_effects_settings *settings,
                         dlp_effects *effects)
{
    assert_ok(dlp_topics_effects(&s->topics, s->corpus, &s->covariates, &s->covariates,
                                 settings, effects, error));
    assert_int_equal(effects->outcome, DLP_CONVERGED);
}

/* Documents that no logistic normal has drawn: nearly all words of each are of one topic,
   and a few of another. The variances of theta grew from round to round. */
static void documents_of_one_topic_settle(void **state)
{
    (void)state;
    sample s;
    dlp_effects effects;
    make_sample_of(&s, 4, 0.001, 3);
    const dlp_effects_settings settings = dlp_effects_settings_default();
    find_effects(&s, &settings, &effects);
    assert_true(effects.moved == 0);
    dlp_effects_free(&effects);
    free_sample(&s);
}

/* ---- plain least squares, with the year around 2000 to keep digits ---- */

static void solve3(double A[P][P], double *b)
{
    for (int i = 0; i < P; i++) {
        for (int r = i + 1; r < P; r++) {
            const double f = A[r][i] / A[i][i];
            for (int c = i; c < P; c++) A[r][c] -= f * A[i][c];
            b[r] -= f * b[i];
        }
    }
    for (int i = P - 1; i >= 0; i--) {
        for (int c = i + 1; c < P; c++) b[i] -= A[i][c] * b[c];
        b[i] /= A[i][i];
    }
}

static void row_around_2000(const double *x, double *out)
{
    out[0] = x[0];
    out[1] = x[1] - 2000;
    out[2] = x[2];
}

static void gram(const double *X, double A[P][P])
{
    memset(A, 0, sizeof(double[P][P]));
    for (dlp_index d = 0; d < D; d++) {
        double x[P];
        row_around_2000(X + d * P, x);
        for (int i = 0; i < P; i++)
            for (int j = 0; j < P; j++) A[i][j] += x[i] * x[j];
    }
}

/* Coefficients b and their sds, of y (D). */
static void least_squares(const double *X, const double *y, double *b, double *sd)
{
    double A[P][P], rss = 0, x[P];
    memset(b, 0, P * sizeof *b);
    for (dlp_index d = 0; d < D; d++) {
        row_around_2000(X + d * P, x);
        for (int i = 0; i < P; i++) b[i] += x[i] * y[d];
    }
    gram(X, A);
    solve3(A, b);
    for (dlp_index d = 0; d < D; d++) {
        row_around_2000(X + d * P, x);
        const double off = y[d] - b[0] * x[0] - b[1] * x[1] - b[2] * x[2];
        rss += off * off;
    }
    for (int i = 0; i < P; i++) { /* the intercept at year 0 is b_0 - 2000 b_1 */
        double t[P] = {i == 0, i == 1 ? 1 : i == 0 ? -2000 : 0, i == 2}, v[P];
        memcpy(v, t, sizeof v);
        gram(X, A);
        solve3(A, v);
        sd[i] = sqrt(rss / (D - P) * (t[0] * v[0] + t[1] * v[1] + t[2] * v[2]));
    }
    b[0] -= 2000 * b[1];
}

/* So many words in their expected shares that theta is all but known. */
static void make_sure(sample *s)
{
    int32_t *count = calloc((size_t)D * V, sizeof *count);
    double pi[K];
    for (dlp_index d = 0; d < D; d++) {
        proportions(s->theta + d * K, pi);
        for (dlp_index v = 0; v < V; v++) {
            double p = 0;
            for (dlp_index k = 0; k < K; k++) p += pi[k] * s->topics.beta[k * V + v];
            count[d * V + v] = (int32_t)lround(1e8 * p);
        }
    }
    dlp_corpus_free(s->corpus);
    assert_ok(dlp_corpus_from_counts(D, V, count, &s->corpus, error));
    free(count);
}

/* With next to no uncertainty of theta the effects are those of the proportions. */
static void sure_documents_give_plain_least_squares(void **state)
{
    (void)state;
    sample s;
    dlp_effects effects;
    double y[D], b[P], sd[P], pi[K];
    make_sample(&s, 0.8, 1);
    make_sure(&s);
    const dlp_effects_settings settings = dlp_effects_settings_default();
    find_effects(&s, &settings, &effects);
    assert_int_equal(effects.K, K);
    assert_int_equal(effects.p, P);
    assert_int_equal(effects.unsettled, 0);
    assert_true(effects.moved == 0);
    for (dlp_index k = 0; k < K; k++) {
        for (dlp_index d = 0; d < D; d++) {
            proportions(s.theta + d * K, pi);
            y[d] = pi[k];
        }
        least_squares(s.X, y, b, sd);
        for (int j = 0; j < P; j++) {
            assert_near(effects.mean[k * P + j], b[j], 0.01 * sd[j]);
            assert_near(effects.sd[k * P + j], sd[j], 0.01 * sd[j]);
        }
    }
    dlp_effects_free(&effects);
    free_sample(&s);
}

static void threads_do_not_show(void **state)
{
    (void)state;
    sample s;
    dlp_effects one, other;
    make_sample(&s, 0.8, 2);
    dlp_effects_settings settings = dlp_effects_settings_default();
    settings.draws = 7;
    find_effects(&s, &settings, &one);
    const int threads[] = {2, 3, 7};
    for (int i = 0; i < 3; i++) {
        settings.threads = threads[i];
        find_effects(&s, &settings, &other);
        assert_memory_equal(one.mean, other.mean, sizeof(double[K][P]));
        assert_memory_equal(one.sd, other.sd, sizeof(double[K][P]));
        dlp_effects_free(&other);
    }
    settings.seed = 2;
    find_effects(&s, &settings, &other);
    assert_memory_not_equal(one.mean, other.mean, sizeof(double[K][P]));
    dlp_effects_free(&other);
    dlp_effects_free(&one);
    free_sample(&s);
}

/* The expected coefficients, over many draws of theta for the same documents. */
static void expected_effects(const sample *s, double *b)
{
    enum { TIMES = 400 };
    static double y[K][D];
    double sd[P], pi[K];
    memset(y, 0, sizeof y);
    for (dlp_index d = 0; d < D; d++) {
        dlp_rng rng = dlp_rng_at(99, (uint64_t)d);
        for (int t = 0; t < TIMES; t++) {
            draw_theta(s, d, &rng);
            proportions(s->theta + d * K, pi);
            for (dlp_index k = 0; k < K; k++) y[k][d] += pi[k] / TIMES;
        }
    }
    for (dlp_index k = 0; k < K; k++) least_squares(s->X, y[k], b + k * P, sd);
}

/* The model that a fit without covariates would find: mu_0 the mean over documents, and
   Sigma_0 with what the covariates would have explained. */
static void forget_covariates(const sample *s, dlp_topics *plain)
{
    double mean[P] = {0}, moved[D][K];
    assert_ok(dlp_topics_alloc(K, V, 1, plain, error));
    memcpy(plain->beta, s->topics.beta, sizeof(double[K][V]));
    memcpy(plain->Sigma0, s->topics.Sigma0, sizeof(double[K][K]));
    for (dlp_index i = 0; i < (dlp_index)D * P; i++) mean[i % P] += s->X[i] / D;
    memset(moved, 0, sizeof moved);
    for (dlp_index k = 0; k < K; k++)
        for (dlp_index j = 0; j < P; j++) {
            plain->Gamma[k] += mean[j] * s->topics.Gamma[j * K + k];
            for (dlp_index d = 0; d < D; d++)
                moved[d][k] += (s->X[d * P + j] - mean[j]) * s->topics.Gamma[j * K + k];
        }
    for (dlp_index d = 0; d < D; d++)
        for (dlp_index i = 0; i < (dlp_index)K * K; i++)
            plain->Sigma0[i] += moved[d][i / K] * moved[d][i % K] / D;
}

static void find_effects_without(const sample *s, const dlp_effects_settings *settings,
                                 dlp_effects *effects)
{
    dlp_topics plain;
    forget_covariates(s, &plain);
    assert_ok(dlp_topics_effects(&plain, s->corpus, NULL, &s->covariates, settings,
                                 effects, error));
    dlp_topics_free(&plain);
}

/* The share of intervals that contain the truth, and the slope of the effects on it. */
static double coverage(bool with_covariates, double *slope)
{
    enum { TIMES = SANITISED ? 12 : 80 };
    double truth[K * P], xy = 0, xx = 0;
    int held = 0;
    dlp_effects_settings settings = dlp_effects_settings_default();
    settings.draws = 20;
    for (uint64_t seed = 0; seed < TIMES; seed++) {
        sample s;
        dlp_effects effects = {0};
        make_sample(&s, 0.8, 1000 + seed);
        (with_covariates ? find_effects : find_effects_without)(&s, &settings, &effects);
        if (seed == 0) expected_effects(&s, truth);
        for (int i = 0; i < K * P; i++)
            held += fabs(effects.mean[i] - truth[i]) <= 1.96 * effects.sd[i];
        for (int k = 0; k < K; k++) {
            xy += effects.mean[k * P + 2] * truth[k * P + 2];
            xx += truth[k * P + 2] * truth[k * P + 2];
        }
        dlp_effects_free(&effects);
        free_sample(&s);
    }
    *slope = xy / xx;
    return (double)held / (TIMES * K * P);
}

static void intervals_hold_the_truth(void **state)
{
    (void)state;
    for (int with = 0; with < 2; with++) {
        double slope;
        const double held = coverage(with, &slope);
        print_message("95 %% intervals hold the truth in %.1f %%, slope %.2f, %s\n",
                      100 * held, slope, with ? "with covariates" : "without");
        assert_true(held > (SANITISED ? 0.85 : 0.92) && held < (SANITISED ? 1 : 0.98));
        assert_near(slope, 1, SANITISED ? 0.3 : 0.1);
    }
}

/* ---- what is refused ---- */

static int stop(void *context, const dlp_progress *progress)
{
    *(dlp_index *)context = progress->done;
    return 1;
}

static void a_callback_may_cancel(void **state)
{
    (void)state;
    sample s;
    dlp_effects effects;
    dlp_index done = 0;
    make_sample(&s, 0.8, 3);
    dlp_effects_settings settings = dlp_effects_settings_default();
    settings.progress = stop;
    settings.context = &done;
    settings.threads = 2;
    assert_ok(dlp_topics_effects(&s.topics, s.corpus, &s.covariates, &s.covariates,
                                 &settings, &effects, error));
    assert_int_equal(effects.outcome, DLP_CANCELLED);
    assert_true(done > 0 && (done % 64 == 0 || done == D));
    dlp_effects_free(&effects);
    free_sample(&s);
}

static void covariates_are_checked(void **state)
{
    (void)state;
    sample s;
    dlp_effects e;
    make_sample(&s, 0.8, 4);
    dlp_effects_settings settings = dlp_effects_settings_default();
    const dlp_covariates *own = &s.covariates;
    dlp_covariates few = {.D = D - 1, .p = P, .X = s.X};
#define EFFECTS(prior, X)                                                                \
    dlp_topics_effects(&s.topics, s.corpus, prior, X, &settings, &e, error)
    assert_fails(EFFECTS(own, &few), DLP_EINPUT, "same order");
    assert_fails(EFFECTS(&few, own), DLP_EINPUT, "same order");
    assert_fails(EFFECTS(NULL, own), DLP_EINVAL, "3 covariates, but 1");
    settings.draws = 1;
    assert_fails(EFFECTS(own, own), DLP_EINVAL, "draws");
    settings.draws = 50;
    settings.threads = -1;
    assert_fails(EFFECTS(own, own), DLP_EINVAL, "threads");
    settings.threads = 1;
    for (dlp_index d = 0; d < D; d++) s.X[d * P + 2] = 3 - 0.1 * s.X[d * P + 1];
    assert_fails(EFFECTS(own, own), DLP_EINPUT, "covariate 3 follows");
    for (dlp_index d = 0; d < D; d++) s.X[d * P + 1] = 4;
    assert_fails(EFFECTS(own, own), DLP_EINPUT, "covariate 2 is constant");
    s.X[1] = NAN;
    assert_fails(EFFECTS(own, own), DLP_EINPUT, "document 1 is nan");
    s.X[1] = 4;
    s.X[0] = 2;
    assert_fails(EFFECTS(own, own), DLP_EINVAL, "must be 1");
    const dlp_covariates wide = {.D = D, .p = D, .X = s.X};
    assert_fails(EFFECTS(own, &wide), DLP_EINPUT, "too few");
    s.topics.V = V - 1;
    assert_fails(EFFECTS(own, own), DLP_EINPUT, "same vocabulary");
#undef EFFECTS
    free_sample(&s);
}

static void memory_that_lacks_is_an_error(void **state)
{
    (void)state;
    sample s;
    dlp_status status = DLP_ENOMEM;
    int n = 0;
    make_sample(&s, 0.8, 5);
    dlp_effects_settings settings = dlp_effects_settings_default();
    settings.draws = 2;
    for (; status == DLP_ENOMEM; n++) {
        dlp_effects effects;
        dlp_error error = {0};
        allocations_left = n;
        status = dlp_topics_effects(&s.topics, s.corpus, &s.covariates, &s.covariates,
                                    &settings, &effects, &error);
        allocations_left = -1;
        if (status == DLP_ENOMEM)
            assert_non_null(strstr(error.message, "not enough memory"));
        dlp_effects_free(&effects);
    }
    assert_int_equal(status, DLP_OK);
    assert_true(n > 10);
    free_sample(&s);
}

/* An intercept that is no share is where no document is. */
static void intercepts_beyond_shares_are_told(void **state)
{
    (void)state;
    double mean[] = {0.5, 9, -0.04, 9, 1.04, 9, -0.06, 9, 1.06, 9};
    const dlp_effects effects = {.K = 5, .p = 2, .mean = mean};
    for (dlp_index k = 0; k < 5; k++)
        assert_int_equal(dlp_effects_extrapolates(&effects, k) != 0, k >= 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intercepts_beyond_shares_are_told),
        cmocka_unit_test(sure_documents_give_plain_least_squares),
        cmocka_unit_test(documents_of_one_topic_settle),
        cmocka_unit_test(threads_do_not_show),
        cmocka_unit_test(intervals_hold_the_truth),
        cmocka_unit_test(a_callback_may_cancel),
        cmocka_unit_test(covariates_are_checked),
        cmocka_unit_test(memory_that_lacks_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
