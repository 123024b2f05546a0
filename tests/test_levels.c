/* SPDX-License-Identifier: BSD-3-Clause */
/* The averaged probabilities of multinomial and ordinal regressions against many draws of
   theta, for posteriors that no data made: wide ones, with strong correlations. */
#include "support.h"

#include "math/normal_lattice.h"

enum { P = 3, MOST_LEVELS = 9, MOST = P * (MOST_LEVELS - 1), ROWS = 4, DRAWS = 50000 };

/* theta = mu + A z */
typedef struct posterior {
    const char *family;
    dlp_index K, n;
    double mu[MOST], A[MOST][MOST];
} posterior;

typedef struct rows {
    double columns[P][ROWS], y[ROWS];
    const double *x[P];
} rows;

/* Each parameter with the sd, but the deltas from 1 on, which enter by exp, with theirs. */
static posterior draw_posterior(const char *family, dlp_index K, double sd,
                                double delta_sd, uint64_t seed)
{
    posterior q = {.family = family, .K = K, .n = dlp_glm_parameters(family, P, K)};
    dlp_rng rng = dlp_rng_at(seed, (uint64_t)K);
    const int ordinal = strcmp(family, "ordinal") == 0;
    for (dlp_index i = 0; i < q.n; i++) {
        const int gap = ordinal && i > P;
        double squares = 0;
        q.mu[i] = dlp_draw_normal(&rng) - gap;
        for (dlp_index j = 0; j < q.n; j++) {
            q.A[i][j] = dlp_draw_normal(&rng) + 1; /* in common: they are correlated */
            squares += q.A[i][j] * q.A[i][j];
        }
        for (dlp_index j = 0; j < q.n; j++)
            q.A[i][j] *= (gap ? delta_sd : sd) / sqrt(squares);
    }
    return q;
}

static void draw_rows(rows *r, uint64_t seed)
{
    dlp_rng rng = dlp_rng_at(seed, 1);
    for (int j = 0; j < P; j++) {
        r->x[j] = r->columns[j];
        for (int i = 0; i < ROWS; i++) r->columns[j][i] = dlp_draw_normal(&rng);
    }
    for (int i = 0; i < ROWS; i++) r->y[i] = i % 2;
}

/* Column 0 from another origin: eta falls by beta_0 times it, and so do the cut points. */
static void move_origin(posterior *q, rows *r, double origin)
{
    for (int i = 0; i < ROWS; i++) r->columns[0][i] -= origin;
    q->mu[P] -= origin * q->mu[0];
    for (dlp_index j = 0; j < q->n; j++) q->A[P][j] -= origin * q->A[0][j];
}

static void predict(const posterior *q, const rows *r, const dlp_glm_prediction *out)
{
    const dlp_glm_data data = {.N = ROWS, .p = P, .x = r->x, .y = r->y, .levels = q->K};
    dlp_sym Sigma = {0};
    assert_ok(dlp_sym_alloc(dlp_shape_dense(q->n), &Sigma, error));
    double *S = dlp_sym_block(&Sigma, 0);
    for (dlp_index i = 0; i < q->n; i++)
        for (dlp_index k = 0; k < q->n; k++)
            for (dlp_index j = 0; j < q->n; j++)
                S[i * q->n + k] += q->A[i][j] * q->A[k][j];
    assert_ok(dlp_glm_predict(q->family, NULL, &data, q->mu, &Sigma, out, error));
    dlp_sym_free(&Sigma);
}

/* ---- by draws ---- */

static void softmax(const posterior *q, const double *theta, const double *x, double *p)
{
    double sum = p[0] = 1;
    for (dlp_index k = 1; k < q->K; k++) {
        double eta = 0;
        for (int j = 0; j < P; j++) eta += x[j] * theta[(k - 1) * P + j];
        sum += p[k] = exp(eta);
    }
    for (dlp_index k = 0; k < q->K; k++) p[k] /= sum;
}

static void cumulative(const posterior *q, const double *theta, const double *x,
                       double *p)
{
    double u = theta[P], before = 0;
    for (int j = 0; j < P; j++) u -= x[j] * theta[j];
    for (dlp_index k = 0; k < q->K - 1; k++) {
        u += k ? exp(theta[P + k]) : 0;
        const double to = dlp_logistic(u);
        p[k] = to - before;
        before = to;
    }
    p[q->K - 1] = 1 - before;
}

typedef double table[ROWS][MOST_LEVELS];

static void average_draws(const posterior *q, const rows *r, table mean, table error)
{
    double squares[ROWS][MOST_LEVELS] = {{0}};
    memset(mean, 0, sizeof(table));
    for (int s = 0; s < DRAWS; s++) {
        dlp_rng rng = dlp_rng_at(1234, (uint64_t)s);
        double z[MOST], theta[MOST] = {0};
        for (dlp_index j = 0; j < q->n; j++) z[j] = dlp_draw_normal(&rng);
        for (dlp_index i = 0; i < q->n; i++) {
            theta[i] = q->mu[i];
            for (dlp_index j = 0; j < q->n; j++) theta[i] += q->A[i][j] * z[j];
        }
        for (int i = 0; i < ROWS; i++) {
            double x[P], p[MOST_LEVELS];
            for (int j = 0; j < P; j++) x[j] = r->columns[j][i];
            (strcmp(q->family, "ordinal") == 0 ? cumulative : softmax)(q, theta, x, p);
            for (dlp_index k = 0; k < q->K; k++) {
                mean[i][k] += p[k] / DRAWS;
                squares[i][k] += p[k] * p[k] / DRAWS;
            }
        }
    }
    for (int i = 0; i < ROWS; i++)
        for (dlp_index k = 0; k < q->K; k++)
            error[i][k] = sqrt(fmax(squares[i][k] - mean[i][k] * mean[i][k], 0) / DRAWS);
}

/* Within four errors of the draws, and what the sums are off by. */
static void assert_like_draws(const posterior *q, const rows *r, double off)
{
    table mean, error;
    double averaged[ROWS * MOST_LEVELS], l[ROWS];
    predict(q, r,
            &(dlp_glm_prediction){.probability_averaged = averaged,
                                  .log_density_averaged = l});
    average_draws(q, r, mean, error);
    for (int i = 0; i < ROWS; i++) {
        double sum = 0;
        for (dlp_index k = 0; k < q->K; k++) {
            const double p = averaged[i * q->K + k];
            assert_near(p, mean[i][k], 4 * error[i][k] + off);
            sum += p;
        }
        assert_near(sum, 1, 1e-9);
        assert_near(l[i], log(averaged[i * q->K + (dlp_index)r->y[i]]), 1e-12);
    }
}

static void averages_are_those_of_draws(void **state)
{
    (void)state;
    const struct {
        double sd, delta_sd, off;
    } widths[] = {{0.3, 0.2, 0.0005}, {1, 0.6, 0.003}, {3, 2, 0.01}};
    const dlp_index levels[] = {2, 3, 4, 6, 9};
    for (int w = 0; w < 3; w++)
        for (int k = 0; k < 5; k++) {
            rows r;
            draw_rows(&r, 7 + (uint64_t)w);
            posterior q = draw_posterior("multinomial", levels[k], widths[w].sd, 0, 5);
            assert_like_draws(&q, &r, widths[w].off);
            q = draw_posterior("ordinal", levels[k], widths[w].sd, widths[w].delta_sd, 6);
            assert_like_draws(&q, &r, widths[w].off);
        }
}

/* A year: the column lies far from 0 for its spread, so that eta and the cut points are
   hardly known, though their differences are. */
static void origin_of_a_column_does_not_matter(void **state)
{
    (void)state;
    for (dlp_index K = 2; K <= 6; K++) {
        double near_0[ROWS * MOST_LEVELS], far[ROWS * MOST_LEVELS];
        posterior q = draw_posterior("ordinal", K, 0.4, 0.5, 8);
        rows r;
        draw_rows(&r, 3);
        predict(&q, &r, &(dlp_glm_prediction){.probability_averaged = near_0});
        move_origin(&q, &r, -2000);
        predict(&q, &r, &(dlp_glm_prediction){.probability_averaged = far});
        for (dlp_index i = 0; i < ROWS * K; i++) assert_near(far[i], near_0[i], 1e-7);
        if (K == 4) assert_like_draws(&q, &r, 0.001);
    }
}

static void known_parameters_need_no_average(void **state)
{
    (void)state;
    const char *families[] = {"multinomial", "ordinal"};
    for (int f = 0; f < 2; f++) {
        double p[ROWS * MOST_LEVELS], averaged[ROWS * MOST_LEVELS];
        const posterior q = draw_posterior(families[f], 5, 0, 0, 4);
        rows r;
        draw_rows(&r, 4);
        predict(
            &q, &r,
            &(dlp_glm_prediction){.probability = p, .probability_averaged = averaged});
        for (int i = 0; i < ROWS * 5; i++) assert_near(averaged[i], p[i], 1e-12);
    }
}

/* Levels that are hardly ever met, rows that are far out: small probabilities keep their
   digits, and what is wide has numbers. */
static void extremes_are_survived(void **state)
{
    (void)state;
    double p[ROWS * 4], averaged[ROWS * 4], l[ROWS];
    const dlp_glm_prediction out = {
        .probability = p, .probability_averaged = averaged, .log_density_averaged = l};
    posterior q = draw_posterior("ordinal", 4, 1e-9, 1e-9, 2);
    rows r;
    draw_rows(&r, 2);
    q.mu[P + 1] = -40;
    for (int side = -1; side <= 1; side++) {
        q.mu[P] = side * 50;
        predict(&q, &r, &out);
        for (int i = 0; i < ROWS * 4; i++) {
            assert_true(p[i] > 0);
            assert_near(log(averaged[i]), log(p[i]), 1e-5);
        }
    }
    const double sds[] = {10, 1e3, 1e6};
    for (int s = 0; s < 3; s++)
        for (int f = 0; f < 2; f++) {
            q = draw_posterior(f ? "ordinal" : "multinomial", 4, sds[s], sds[s], 2);
            predict(&q, &r, &out);
            for (int i = 0; i < ROWS; i++) {
                double sum = 0;
                for (int k = 0; k < 4; k++) sum += averaged[i * 4 + k];
                assert_near(sum, 1, 1e-9);
                assert_false(isnan(l[i]));
            }
        }
}

/* Mirror images, and the moments of N(0, I). */
static void lattice_is_normal(void **state)
{
    (void)state;
    enum { POINTS = 1021, D = 6 };
    double z[D][POINTS];
    assert_ok(dlpi_normal_lattice(POINTS, D, z[0], error));
    for (int d = 0; d < D; d++) {
        for (int i = 1; i < POINTS; i++) assert_near(z[d][i], -z[d][POINTS - i], 1e-14);
        for (int e = 0; e <= d; e++) {
            double sum = 0;
            for (int i = 0; i < POINTS; i++) sum += z[d][i] * z[e][i] / POINTS;
            assert_near(sum, d == e, 0.05);
        }
        double fourth = 0;
        for (int i = 0; i < POINTS; i++) fourth += pow(z[d][i], 4) / POINTS;
        assert_near(fourth, 3, 0.1);
    }
    assert_ok(dlpi_normal_lattice(1, D, z[0], error));
    for (int d = 0; d < D; d++) assert_near(z[0][d], 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(averages_are_those_of_draws),
        cmocka_unit_test(origin_of_a_column_does_not_matter),
        cmocka_unit_test(known_parameters_need_no_average),
        cmocka_unit_test(extremes_are_survived),
        cmocka_unit_test(lattice_is_normal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
