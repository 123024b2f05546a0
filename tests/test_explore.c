/* SPDX-License-Identifier: BSD-3-Clause */
/* Points with weights for integrals over many scales. */
#include "infer/explore.h"
#include "infer/psi_points.h"
#include "support.h"

enum { MANY = 40, MOST = 11 };

/* Student-t's with 6 degrees of freedom about 1, 1/2, 1/3, ... */
static double long_tails(void *context, int worker, const double *psi)
{
    double sum = 0;
    (void)context, (void)worker;
    for (int i = 0; i < MANY; i++) {
        const double z = psi[i] - 1.0 / (i + 1);
        sum -= 3.5 * log1p(z * z / 6);
    }
    return sum;
}

static void nowhere(void *context, const double *psi)
{
    (void)context, (void)psi;
}

static bool never(void *context)
{
    (void)context;
    return false;
}

/* Of a design one point far out had nearly all the weight. */
static void no_point_outweighs_all_others(void **state)
{
    (void)state;
    dlpi_explore e = {
        .threads = 1, .log_density = long_tails, .begin_at = nowhere, .stopped = never};
    double most = 0, exact = 0;
    assert_ok(dlpi_explore_alloc(&e, MANY, error));
    assert_ok(dlpi_explore_run(&e, error));
    assert_int_equal(e.outcome, DLP_CONVERGED);
    for (int i = 0; i < e.points; i++) most = fmax(most, e.weight[i]);
    assert_true(most < 0.1);
    for (int k = 0; k < MANY; k++) {
        double mean = 0, psi[MANY];
        for (int i = 0; i < e.points; i++) {
            dlpi_explore_psi(&e, e.z + i * MANY, psi);
            mean += e.weight[i] * psi[k];
        }
        assert_near(mean, 1.0 / (k + 1), 0.05);
        exact += lgamma(3) - lgamma(3.5) + 0.5 * log(6 * PI);
    }
    assert_near(e.log_evidence, exact, 0.1 * MANY);
    dlpi_explore_free(&e);
}

/* A normal density whose neighbours are correlated: psi_k - 1/(k+1) = x_k + x_(k-1) / 2, with
   variances of x of 1 + k. */
static double correlated(void *context, int worker, const double *psi)
{
    const dlp_index m = *(const dlp_index *)context;
    double sum = 0, x = 0;
    (void)worker;
    for (dlp_index k = 0; k < m; k++) {
        x = psi[k] - 1.0 / (double)(k + 1) - 0.5 * x;
        sum -= 0.5 * x * x / (double)(1 + k);
    }
    return sum;
}

static double variance_of(dlp_index k)
{
    return (double)(1 + k) + (k > 0 ? 0.25 * (double)k : 0);
}

/* Grids and designs of every size give a normal density its integral, means, variances and
   covariances; the mode is found by differences, to a hundredth of an sd. */
static void normal_densities_have_their_moments(void **state)
{
    (void)state;
    for (dlp_index m = 1; m <= MOST; m++) {
        dlpi_explore e = {.threads = 1,
                          .context = &m,
                          .log_density = correlated,
                          .begin_at = nowhere,
                          .stopped = never};
        double exact = 0, total = 0, mean[MOST] = {0};
        double psi[MOST], square[MOST] = {0}, beside[MOST] = {0};
        assert_ok(dlpi_explore_alloc(&e, m, error));
        assert_ok(dlpi_explore_run(&e, error));
        assert_int_equal(e.outcome, DLP_CONVERGED);
        for (int i = 0; i < e.points; i++) {
            dlpi_explore_psi(&e, e.z + i * m, psi);
            total += e.weight[i];
            for (dlp_index k = 0; k < m; k++) {
                const double d = psi[k] - 1.0 / (double)(k + 1);
                mean[k] += e.weight[i] * d;
                square[k] += e.weight[i] * d * d;
                if (k > 0) beside[k] += e.weight[i] * d * (psi[k - 1] - 1.0 / (double)k);
            }
        }
        assert_near(total, 1, 1e-12);
        for (dlp_index k = 0; k < m; k++) {
            const double variance = variance_of(k);
            exact += 0.5 * log(2 * PI * (double)(1 + k));
            assert_near(mean[k], 0, 0.02 * sqrt(variance));
            assert_near(square[k], variance, 0.01 * variance);
            if (k > 0) assert_near(beside[k], 0.5 * (double)k, 0.01 * variance);
        }
        assert_near(e.log_evidence, exact, 0.005);
        dlpi_explore_free(&e);
    }
}

/* exp(psi) is gamma with shape 4, of three that are independent in directions of their own: a
   tail that falls less than a normal one, to sds of 0, and about normal near the mode. */
static double gammas(void *context, int worker, const double *psi)
{
    const double a = psi[0] + 0.3 * psi[1], b = psi[1], c = psi[2] - 0.4 * psi[1];
    (void)context, (void)worker;
    return 4 * (a + b + c) - exp(a) - exp(b) - exp(c);
}

/* With the grid of a normal density, linear between its points, sds were too small. */
static void tails_are_followed(void **state)
{
    (void)state;
    dlpi_explore e = {.threads = 1,
                      .log_density = gammas,
                      .begin_at = nowhere,
                      .stopped = never,
                      .adaptive = true};
    dlpi_psi_points psi_points;
    assert_ok(dlpi_explore_alloc(&e, 3, error));
    assert_ok(dlpi_explore_run(&e, error));
    assert_int_equal(e.outcome, DLP_CONVERGED);
    assert_true(e.points < 400);
    assert_near(e.log_evidence, 3 * lgamma(4), 0.01);
    assert_ok(dlpi_psi_points_make(&e, &psi_points, error));
    for (dlp_index i = 0; i < psi_points.n; i++)
        psi_points.value[i] = exp(psi_points.psi[3 * i + 1]);
    const dlp_margin gamma = dlpi_psi_points_margin(&psi_points);
    assert_near(gamma.mean, 4, 0.02 * 2);
    assert_near(gamma.sd, 2, 0.02 * 2);
    for (dlp_index i = 0; i < psi_points.n; i++)
        psi_points.value[i] = psi_points.psi[3 * i + 1];
    const dlp_margin log_gamma = dlpi_psi_points_margin(&psi_points);
    assert_near(log_gamma.mean, 1.2561176684318, 0.02 * 0.5327); /* digamma(4) */
    assert_near(log_gamma.sd, 0.5327507, 0.02 * 0.5327);         /* sqrt trigamma(4) */
    dlpi_psi_points_free(&psi_points);
    dlpi_explore_free(&e);
}

/* exp(psi) is gamma with the shapes 700, 1000 and 2000; or the first of three Student-t with 3 degrees of
   freedom, as sharp. What was taken is counted. */
typedef struct sharp {
    bool has_tails;
    int taken, forgotten;
} sharp;

static double sharp_density(void *context, int worker, const double *psi)
{
    static const double shape[] = {700, 1000, 2000};
    const sharp *s = context;
    double sum = 0;
    (void)worker;
    for (int i = 0; i < 3; i++)
        sum += i == 0 && s->has_tails
                   ? -2 * log1p(psi[0] * psi[0] * 1000)
                   : shape[i] * (psi[i] - log(shape[i]) + 1) - exp(psi[i]);
    return sum;
}

static void look_at_sharp(void *context, int worker)
{
    (void)context, (void)worker;
}

static void take_sharp(void *context, int worker, int point, double weight)
{
    (void)worker, (void)point, (void)weight;
    ((sharp *)context)->taken++;
}

static void forget_sharp(void *context)
{
    sharp *s = context;
    s->forgotten++;
    s->taken = 0;
}

static dlpi_explore explore_sharp(sharp *s)
{
    dlpi_explore e = {.threads = 1,
                      .log_density = sharp_density,
                      .begin_at = nowhere,
                      .stopped = never,
                      .look = look_at_sharp,
                      .take = take_sharp,
                      .forget = forget_sharp,
                      .context = s,
                      .adaptive = true};
    assert_ok(dlpi_explore_alloc(&e, 3, error));
    for (int i = 0; i < 3; i++) e.mode[i] = i == 0 && s->has_tails ? 0.01 : 6.9;
    assert_ok(dlpi_explore_run(&e, error));
    assert_int_equal(e.outcome, DLP_CONVERGED);
    return e;
}

/* The points are those that tell that the density is normal, and no others. */
static void a_sharp_density_has_axes(void **state)
{
    (void)state;
    sharp s = {.has_tails = false};
    dlpi_explore e = explore_sharp(&s);
    dlpi_psi_points psi_points;
    double mean = 0, square = 0, psi[3];
    assert_int_equal(e.points, 6);
    assert_int_equal(s.taken, 6);
    assert_int_equal(s.forgotten, 0);
    for (int i = 0; i < e.points; i++) {
        dlpi_explore_psi(&e, e.z + 3 * i, psi);
        mean += e.weight[i] * exp(psi[0]);
        square += e.weight[i] * exp(2 * psi[0]);
    }
    assert_near(mean, 700, 0.02 * sqrt(700));
    assert_near(sqrt(square - mean * mean), sqrt(700), 0.02 * sqrt(700));
    assert_ok(dlpi_psi_points_make(&e, &psi_points, error));
    for (dlp_index i = 0; i < psi_points.n; i++)
        psi_points.value[i] = exp(psi_points.psi[3 * i]);
    const dlp_margin gamma = dlpi_psi_points_margin(&psi_points);
    assert_near(gamma.mean, 700, 0.02 * sqrt(700));
    assert_near(gamma.sd, sqrt(700), 0.02 * sqrt(700));
    dlpi_psi_points_free(&psi_points);
    dlpi_explore_free(&e);
}

static void sharp_tails_need_more_than_axes(void **state)
{
    (void)state;
    sharp s = {.has_tails = true};
    dlpi_explore e = explore_sharp(&s);
    assert_int_equal(s.forgotten, 1);
    assert_true(e.points > 30 && e.reach > 0);
    assert_true(s.taken <= e.points);
    double sum = 0;
    for (int i = 0; i < e.points; i++) sum += e.weight[i];
    assert_near(sum, 1, 1e-12);
    dlpi_explore_free(&e);
}

enum { SIX = 6 };

/* Three sds that are gamma with shapes 2, 4 and 8, of which the first may be near 0, and three
   numbers that are normal about the logarithm of the second. */
static double sds_near_zero(void *context, int worker, const double *psi)
{
    static const double shape[] = {2, 4, 8};
    double sum = 0;
    (void)context, (void)worker;
    for (int i = 0; i < 3; i++) sum += shape[i] * psi[i] - exp(psi[i]);
    for (int i = 3; i < SIX; i++) {
        const double off = psi[i] - 0.5 * psi[1];
        sum -= 0.5 * off * off;
    }
    return sum;
}

/* Points about the mode of the logarithms leave the tail towards 0 out. */
static void sds_near_zero_are_found(void **state)
{
    static const double shape[] = {2, 4, 8};
    static const bool log_sd[SIX] = {true, true, true};
    (void)state;
    dlpi_explore e = {.threads = 1,
                      .log_density = sds_near_zero,
                      .begin_at = nowhere,
                      .stopped = never,
                      .no_design = true,
                      .adaptive = true,
                      .log_sd = log_sd};
    dlpi_psi_points psi_points;
    assert_ok(dlpi_explore_alloc(&e, SIX, error));
    assert_ok(dlpi_explore_run(&e, error));
    assert_int_equal(e.outcome, DLP_CONVERGED);
    assert_true(e.worth > 0.3);

    assert_ok(dlpi_psi_points_make(&e, &psi_points, error));
    for (int k = 0; k < 3; k++) {
        for (dlp_index i = 0; i < psi_points.n; i++)
            psi_points.value[i] = exp(psi_points.psi[SIX * i + k]);
        const dlp_margin sd = dlpi_psi_points_margin(&psi_points);
        assert_near(sd.mean, shape[k], 0.05 * sqrt(shape[k]));
        assert_near(sd.sd, sqrt(shape[k]), 0.05 * sqrt(shape[k]));
    }
    const double exact = lgamma(2) + lgamma(4) + lgamma(8) + 1.5 * log(2 * PI);
    assert_near(e.log_evidence, exact, 0.05);
    dlpi_psi_points_free(&psi_points);
    dlpi_explore_free(&e);
}

enum { FIVE = 5 };
static const double EULER = 0.57721566490153286;

/* An sd that is gamma with shape 1; a number that is logistic about 1.5 times its logarithm,
   as an inverse hyperbolic tangent whose correlation is uniform; two sds that are gamma with
   shapes 2 and 9, and a normal number. */
static double bent_tails(void *context, int worker, const double *psi)
{
    const dlp_index m = *(const dlp_index *)context;
    const double off = psi[1] - 1.5 * psi[0], r = tanh(off);
    (void)worker;
    double sum = psi[0] - exp(psi[0]) + log(fmax(1 - r * r, 1e-300)) + 2 * psi[2] -
                 exp(psi[2]) + 9 * psi[3] - exp(psi[3]);
    if (m == FIVE) sum -= 0.5 * psi[4] * psi[4];
    return sum;
}

/* With adapted points in five dimensions the sd of the second number was 14 % too small, and 2 %
   with the usual grid in four. */
static void bent_tails_are_followed(void **state)
{
    static const bool log_sd[FIVE] = {true, false, true, true};
    (void)state;
    for (dlp_index m = 4; m <= FIVE; m++) {
        dlpi_explore e = {.threads = 1,
                          .context = &m,
                          .log_density = bent_tails,
                          .begin_at = nowhere,
                          .stopped = never,
                          .no_design = true,
                          .adaptive = true,
                          .quick = true,
                          .log_sd = log_sd};
        dlpi_psi_points psi_points;
        assert_ok(dlpi_explore_alloc(&e, m, error));
        assert_ok(dlpi_explore_run(&e, error));
        assert_ok(dlpi_psi_points_make(&e, &psi_points, error));
        for (dlp_index i = 0; i < psi_points.n; i++)
            psi_points.value[i] = psi_points.psi[m * i + 1];
        const dlp_margin second = dlpi_psi_points_margin(&psi_points);
        const double variance = 2.25 * PI * PI / 6 + PI * PI / 12;
        assert_near(second.mean, -1.5 * EULER, 0.03 * sqrt(variance));
        assert_near(second.sd, sqrt(variance), 0.02 * sqrt(variance));
        for (dlp_index i = 0; i < psi_points.n; i++)
            psi_points.value[i] = exp(psi_points.psi[m * i]);
        const dlp_margin sd = dlpi_psi_points_margin(&psi_points);
        assert_near(sd.mean, 1, 0.03);
        assert_near(sd.sd, 1, 0.02);
        dlpi_psi_points_free(&psi_points);
        dlpi_explore_free(&e);
    }
}

enum { SEVEN = 7 };

/* Three variances with inverse gamma densities of shapes 2.5, 3 and 3.5, known by the logarithms
   of their roots, and four numbers that are normal about the third of these. */
static double long_tailed_sds(void *context, int worker, const double *psi)
{
    double sum = 0;
    (void)context, (void)worker;
    for (int i = 0; i < 3; i++) sum -= (5 + i) * psi[i] + exp(-2 * psi[i]);
    for (int i = 3; i < SEVEN; i++) {
        const double off = psi[i] - 0.5 * psi[2];
        sum -= 0.5 * off * off;
    }
    return sum;
}

/* A polynomial through the points was wrong in such tails: sds were up to 0.4 sd too large. */
static void long_tails_of_sds_are_represented(void **state)
{
    static const bool log_sd[SEVEN] = {true, true, true};
    (void)state;
    dlpi_explore e = {.threads = 1,
                      .log_density = long_tailed_sds,
                      .begin_at = nowhere,
                      .stopped = never,
                      .no_design = true,
                      .adaptive = true,
                      .cheap = true,
                      .quick = true,
                      .log_sd = log_sd};
    dlpi_psi_points psi_points;
    assert_ok(dlpi_explore_alloc(&e, SEVEN, error));
    assert_ok(dlpi_explore_run(&e, error));
    assert_true(e.many);
    assert_ok(dlpi_psi_points_make(&e, &psi_points, error));
    for (int k = 0; k < 3; k++) {
        const double a = 2.5 + 0.5 * k, mean = exp(lgamma(a - 0.5) - lgamma(a)),
                     sd = sqrt(1 / (a - 1) - mean * mean);
        for (dlp_index i = 0; i < psi_points.n; i++)
            psi_points.value[i] = exp(psi_points.psi[SEVEN * i + k]);
        const dlp_margin found = dlpi_psi_points_margin(&psi_points);
        assert_near(found.mean, mean, 0.05 * sd);
        assert_near(found.sd, sd, 0.1 * sd);
    }
    dlpi_psi_points_free(&psi_points);
    dlpi_explore_free(&e);
}

/* ---- a correction that is known only at the mode ---- */

enum { FOUR = 4 };

typedef struct tilted {
    double psi[FOUR]; /* where log p was last asked for */
    bool begun;
} tilted;

static const double TILT[FOUR] = {0.62, 0.6, -0.58, 0.1};

static double tilt(void *context, const double *psi)
{
    double sum = 3;
    (void)context;
    for (int k = 0; k < FOUR; k++) sum += TILT[k] * psi[k];
    return sum;
}

static double standard_normal(void *context, int worker, const double *psi)
{
    tilted *t = context;
    double sum = t->begun ? tilt(t, psi) : 0;
    (void)worker;
    t->begun = false;
    memcpy(t->psi, psi, sizeof t->psi);
    for (int k = 0; k < FOUR; k++) sum -= 0.5 * psi[k] * psi[k];
    return sum;
}

static double note_tilt(void *context, int worker, int i, bool is_known)
{
    tilted *t = context;
    (void)worker, (void)i;
    return is_known ? tilt(t, t->psi) : 0;
}

static void begin_tilted(void *context, int worker, const double *z)
{
    tilted *t = context;
    (void)worker, (void)z;
    t->begun = true;
}

/* Half an sd and more in several directions: points about the mode without the correction are
   too far apart on the one side, where the density is a shelf. */
static void corrections_move_the_mode(void **state)
{
    (void)state;
    tilted t = {.begun = false};
    dlpi_explore e = {.threads = 1,
                      .log_density = standard_normal,
                      .begin_at = nowhere,
                      .stopped = never,
                      .no_design = true,
                      .adaptive = true,
                      .note = note_tilt,
                      .beyond = tilt,
                      .begin_near = begin_tilted,
                      .context = &t};
    dlpi_psi_points psi_points;
    double square = 0;
    assert_ok(dlpi_explore_alloc(&e, FOUR, error));
    assert_ok(dlpi_explore_run(&e, error));
    assert_int_equal(e.outcome, DLP_CONVERGED);
    assert_ok(dlpi_psi_points_make(&e, &psi_points, error));
    for (int k = 0; k < FOUR; k++) {
        square += TILT[k] * TILT[k];
        for (dlp_index i = 0; i < psi_points.n; i++)
            psi_points.value[i] = psi_points.psi[FOUR * i + k];
        const dlp_margin margin = dlpi_psi_points_margin(&psi_points);
        assert_near(margin.mean, TILT[k], 0.02);
        assert_near(margin.sd, 1, 0.02);
    }
    assert_near(e.log_evidence, 2 * log(2 * PI) + 3 + 0.5 * square, 0.01);
    dlpi_psi_points_free(&psi_points);
    dlpi_explore_free(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_point_outweighs_all_others),
        cmocka_unit_test(normal_densities_have_their_moments),
        cmocka_unit_test(tails_are_followed),
        cmocka_unit_test(a_sharp_density_has_axes),
        cmocka_unit_test(sharp_tails_need_more_than_axes),
        cmocka_unit_test(sds_near_zero_are_found),
        cmocka_unit_test(bent_tails_are_followed),
        cmocka_unit_test(long_tails_of_sds_are_represented),
        cmocka_unit_test(corrections_move_the_mode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
