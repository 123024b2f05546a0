/* SPDX-License-Identifier: BSD-3-Clause */
/* The distributions: R's numbers (bugs_distributions.R), derivatives against differences,
   distribution functions as integrals of densities, and draws against both. */
#include "bugs_expressions.h"
#include "density/distribution.h"

enum { MOST_PARAMS = 5, MOST_CELLS = 64 };

/* A distribution with its parameters: cells with values, the value of y first. */
typedef struct subject {
    const dlpi_distribution *d;
    int n_params;
    double x[MOST_CELLS];
    dlpi_expr at[MOST_CELLS];
    dlpi_value y, param[MOST_PARAMS];
    int n_cells;
} subject;

/* A vector of n numbers, cells or data; a matrix where its length is that of a square. */
static dlpi_value put(subject *s, dlpi_builder *b, dlp_index n, const double *x,
                      bool cells, bool matrix)
{
    dlpi_value v = {.n_dim = n > 1, .dim = {n}, .n = n, .at = s->at + s->n_cells};
    const dlp_index side = (dlp_index)lround(sqrt((double)n));
    if (matrix && n > 1) v = (dlpi_value){2, {side, side}, n, s->at + s->n_cells};
    for (dlp_index i = 0; i < n; i++, s->n_cells++) {
        s->x[s->n_cells] = x[i];
        s->at[s->n_cells] = cells ? dlpi_cell(b, s->n_cells) : dlpi_datum(b, x[i]);
    }
    return v;
}

static void set(subject *s, dlpi_builder *b, const char *name, double y, int n_params,
                const double *params, bool cells)
{
    dlpi_builder_clear(b);
    s->d = dlpi_distribution_find(name);
    assert_non_null(s->d);
    assert_int_equal(s->d->n_params, n_params);
    s->n_cells = 0;
    s->n_params = n_params;
    s->y = put(s, b, 1, &y, cells, false);
    for (int i = 0; i < n_params; i++)
        s->param[i] = put(s, b, 1, &params[i], cells, false);
    assert_true(s->d->shapes_agree(&s->y, s->param));
}

typedef void line_check(dlpi_builder *b, char *line);

static void each_line(const char *kind, line_check *check)
{
    FILE *file = fopen(DLP_TEST_DIR "/golden/bugs_distributions.txt", "r");
    char line[4096];
    int seen = 0;
    dlpi_builder *b;
    assert_non_null(file);
    assert_ok(dlpi_builder_alloc(&b, error));
    while (fgets(line, sizeof line, file))
        if (!strncmp(line, kind, strlen(kind))) {
            check(b, line + strlen(kind));
            seen++;
        }
    assert_true(seen > 5);
    dlpi_builder_free(b);
    fclose(file);
}

/* NAME and numbers; how many of these */
static int read_line(char *line, char **name, double *number)
{
    char *save, *word;
    int n = 0;
    *name = strtok_r(line, " \n", &save);
    while ((word = strtok_r(NULL, " \n", &save))) number[n++] = strtod(word, NULL);
    return n;
}

static bool discrete(const dlpi_distribution *d)
{
    return d->support != DLPI_REAL && d->support != DLPI_INTERVAL;
}

static void same_density(dlpi_builder *b, char *line)
{
    char *name;
    double v[64] = {0};
    subject s;
    const int n = read_line(line, &name, v), n_params = (int)v[2];
    assert_int_equal(n, 3 + n_params);
    for (int cells = 0; cells < 2; cells++) {
        /* sizes of dhyper must be numbers */
        if (cells && !strcmp(name, "dhyper")) continue;
        set(&s, b, name, v[0], n_params, v + 3, cells);
        for (int i = 0; s.d->complain && i < n_params; i++)
            assert_null(s.d->complain(i, v[3 + i]));
        const dlpi_expr e = s.d->log_density(b, &s.y, s.param);
        const double got = value_at(b, e, s.x);
        if (fabs(got - v[1]) > 1e-12 * (1 + fabs(v[1]))) print_message("%s\n", name);
        assert_close(got, v[1], 2e-12);
        /* a kink is no place for differences, and a count has no derivative of interest */
        if (cells && !discrete(s.d) && n_params <= 3 && strcmp(name, "ddexp") != 0)
            check_jet(b, e, 1 + n_params, s.x, 1e-3 * fmin(1, fabs(v[0])), 1e-5, name);
    }
}

static void densities(void **state)
{
    (void)state;
    each_line("density ", same_density);
}

static void same_cdf(dlpi_builder *b, char *line)
{
    char *name;
    double v[64] = {0};
    subject s;
    const int n = read_line(line, &name, v), n_params = (int)v[3];
    assert_int_equal(n, 4 + n_params);
    for (int cells = 0; cells < 2; cells++) {
        set(&s, b, name, v[0], n_params, v + 4, cells);
        const double below = value_at(b, s.d->cdf(b, s.y.at[0], s.param), s.x);
        const double upper =
            value_at(b, dlpi_log_between(s.d, b, s.param, s.y.at[0], -1), s.x);
        if (fabs(below - v[1]) > 1e-11) print_message("%s at %g\n", name, v[0]);
        assert_near(below, v[1], 1e-11 * v[1] + 1e-300);
        if (discrete(s.d)) continue; /* P(Y >= y), there */
        if (fabs(upper - v[2]) > 1e-10 * fabs(v[2]) + 1e-13)
            print_message("%s at %g\n", name, v[0]);
        assert_near(upper, v[2], 1e-10 * fabs(v[2]) + 1e-13);
    }
}

static void distribution_functions(void **state)
{
    (void)state;
    each_line("cdf ", same_cdf);
}

static void same_vector(dlpi_builder *b, char *line)
{
    char *name;
    double v[128] = {0};
    subject s = {.n_cells = 0};
    const int n = read_line(line, &name, v);
    dlpi_builder_clear(b);
    s.d = dlpi_distribution_find(name);
    assert_non_null(s.d);
    const bool wishart = !strcmp(name, "dwish");
    int at = 1;
    s.y = put(&s, b, (dlp_index)v[at], v + at + 1, true, wishart);
    at += 1 + (int)v[at];
    for (int i = 0; at < n; i++, at += 1 + (int)v[at]) {
        const bool matrix = wishart ? i == 0 : i == 1 && s.d->support == DLPI_REAL_VECTOR;
        const bool cells =
            (strcmp(name, "car.normal") != 0 && strcmp(name, "dcar_normal") != 0) ||
            i == 3; /* a graph is numbers */
        s.param[i] = put(&s, b, (dlp_index)v[at], v + at + 1, cells, matrix);
        s.n_params++;
    }
    assert_int_equal(s.n_params, s.d->n_params);
    assert_true(s.d->shapes_agree(&s.y, s.param));
    const dlpi_expr e = s.d->log_density(b, &s.y, s.param);
    if (fabs(value_at(b, e, s.x) - v[0]) > 1e-12) print_message("%s\n", name);
    assert_close(value_at(b, e, s.x), v[0], 1e-12);
}

static void vectors(void **state)
{
    (void)state;
    each_line("vector ", same_vector);
}

typedef struct example {
    const char *name;
    int n;
    double param[4];
    double from, to; /* where most of it lies */
} example;

static const example examples[] = {
    {"dnorm", 2, {0.7, 2.6}, 0.2, 2},
    {"dlogis", 2, {0.4, 1.7}, -1, 3},
    {"dt", 3, {0.3, 1.9, 4.5}, -1, 2},
    {"ddexp", 2, {0.3, 1.9}, 0.3, 2},
    {"dunif", 2, {-1.3, 2.7}, -1, 2.5},
    {"dgamma", 2, {3.3, 1.8}, 0.5, 3},
    {"dexp", 1, {0.9}, 0.1, 3},
    {"dchisqr", 1, {4.6}, 1, 8},
    {"dscaled.gamma", 2, {0.8, 3.5}, 1, 3},
    {"dgen.gamma", 3, {1.6, 1.2, 1.9}, 0.3, 2},
    {"dweib", 2, {1.7, 0.6}, 0.3, 2},
    {"dlnorm", 2, {0.4, 1.3}, 0.5, 4},
    {"dpar", 2, {2.2, 1.3}, 1.4, 4},
    {"dbeta", 2, {1.4, 2.3}, 0.1, 0.8},
    {"df", 2, {3.4, 6.1}, 0.3, 3},
    {"dhalfcauchy", 1, {1.4}, 0.2, 3},
    {"dpar2", 3, {2.2, 1.3, 0.4}, 0.5, 4},
    {"dpar3", 3, {1.3, 0.4, 0.7}, 0.6, 4},
    {"dpar4", 4, {2.2, 1.3, 0.4, 0.7}, 0.6, 4},
    {"dlomax", 2, {2.2, 1.3}, 0.1, 4},
    {"dmouch", 1, {1.3}, 0.1, 4},
    {"dgenpar", 3, {1.3, 0.4, -0.2}, 0.5, 4},
    {"dbern", 1, {0.3}, 0, 1},
    {"dbin", 2, {0.3, 12}, 0, 12},
    {"dbin", 2, {0.4, 1000}, 350, 450},
    {"dpois", 1, {3.7}, 0, 30},
    {"dpois", 1, {300}, 200, 400},
    {"dnegbin", 2, {0.35, 2.6}, 0, 60},
    {"dbetabin", 3, {1.4, 2.2, 12}, 0, 12},
    {"dhyper", 4, {7, 4, 5, 1.8}, 1, 5},
};
enum { N_EXAMPLES = sizeof examples / sizeof examples[0], N_CONTINUOUS = 22 };

/* ---- derivatives of vectors' densities, and of what T(,) divides by ---- */

/* The log density in its first k cells. */
static void vector_derivatives(void **state)
{
    (void)state;
    dlpi_builder *b;
    assert_ok(dlpi_builder_alloc(&b, error));
    const double x[5] = {2.1, 0.4, 1.7, 0.3, -1.2};
    dlpi_expr cell[5];
    for (int i = 0; i < 5; i++) cell[i] = dlpi_cell(b, i);
    const dlpi_expr y_at[2] = {dlpi_datum(b, 1.1), dlpi_datum(b, -0.7)},
                    symmetric[4] = {cell[0], cell[1], cell[1], cell[2]},
                    r[4] = {dlpi_datum(b, 1.4), dlpi_datum(b, 0.2), dlpi_datum(b, 0.2),
                            dlpi_datum(b, 0.8)},
                    k = dlpi_datum(b, 4.5);
    const dlpi_value y = {1, {2}, 2, y_at}, mean = {1, {2}, 2, cell + 3},
                     matrix = {2, {2, 2}, 4, symmetric}, scale = {2, {2, 2}, 4, r},
                     df = {.n = 1, .at = &k}, normal[3] = {mean, matrix, df},
                     wishart[2] = {scale, df};
    static const char *const names[] = {"dmnorm", "dmnorm.vcov", "dmt"};
    for (int i = 0; i < 3; i++) {
        const dlpi_distribution *d = dlpi_distribution_find(names[i]);
        check_jet(b, d->log_density(b, &y, normal), 5, x, 0.01, 1e-6, names[i]);
    }
    const dlpi_distribution *d = dlpi_distribution_find("dwish");
    check_jet(b, d->log_density(b, &matrix, wishart), 3, x, 0.01, 1e-6, "dwish");
    const dlpi_value weights = {1, {3}, 3, cell};
    const dlpi_expr p[3] = {dlpi_datum(b, 0.2), dlpi_datum(b, 0.5), dlpi_datum(b, 0.3)};
    const dlpi_value simplex = {1, {3}, 3, p};
    d = dlpi_distribution_find("ddirch");
    check_jet(b, d->log_density(b, &simplex, &weights), 3, x, 0.01, 1e-6, "ddirch");
    dlpi_builder_free(b);
}

static void truncation_derivatives(void **state)
{
    (void)state;
    dlpi_builder *b;
    assert_ok(dlpi_builder_alloc(&b, error));
    for (int i = 0; i < N_CONTINUOUS; i++) {
        const example *x = &examples[i];
        subject s;
        set(&s, b, x->name, x->from + 0.013, x->n, x->param, true);
        const dlpi_expr upper = dlpi_datum(b, x->to);
        const dlpi_expr above = dlpi_log_between(s.d, b, s.param, s.y.at[0], -1);
        const dlpi_expr below = dlpi_log_between(s.d, b, s.param, -1, s.y.at[0]);
        const dlpi_expr both = dlpi_log_between(s.d, b, s.param, s.y.at[0], upper);
        check_jet(b, above, 1 + x->n, s.x, 0.004, 2e-5, x->name);
        check_jet(b, below, 1 + x->n, s.x, 0.004, 2e-5, x->name);
        check_jet(b, both, 1 + x->n, s.x, 0.004, 2e-5, x->name);
    }
    dlpi_builder_free(b);
}

/* ---- integrals ---- */

/* exp(log density) over (from, to), by Simpson's rule */
static double integral(dlpi_builder *b, subject *s, double from, double to)
{
    const int n = 2000;
    const dlpi_expr e = s->d->log_density(b, &s->y, s->param);
    double sum = 0;
    for (int i = 0; i <= n; i++) {
        const double weight = i == 0 || i == n ? 1 : i % 2 ? 4 : 2;
        s->x[0] = from + (to - from) * i / n;
        sum += weight * exp(value_at(b, e, s->x));
    }
    return sum * (to - from) / n / 3;
}

static double cdf_at(dlpi_builder *b, subject *s, double y)
{
    return value_at(b, s->d->cdf(b, dlpi_literal(b, y), s->param), s->x);
}

/* What T(,) divides by is the integral, or the sum, of the density. */
static void integrals(void **state)
{
    (void)state;
    dlpi_builder *b;
    assert_ok(dlpi_builder_alloc(&b, error));
    for (int i = 0; i < N_EXAMPLES; i++) {
        const example *x = &examples[i];
        subject s;
        double sum = 0;
        set(&s, b, x->name, x->from, x->n, x->param, false);
        s.at[0] = dlpi_cell(b, 0); /* y alone is a variable */
        if (!discrete(s.d)) sum = integral(b, &s, x->from, x->to);
        const dlpi_expr e = s.d->log_density(b, &s.y, s.param);
        for (double y = x->from; discrete(s.d) && y <= x->to; y++) {
            s.x[0] = y;
            sum += exp(value_at(b, e, s.x));
        }
        if (!s.d->cdf) {
            assert_near(sum, 1, 1e-12);
            continue;
        }
        const dlpi_expr between = dlpi_log_between(
            s.d, b, s.param, dlpi_literal(b, x->from), dlpi_literal(b, x->to));
        if (fabs(exp(value_at(b, between, s.x)) - sum) > 1e-9)
            print_message("%s\n", x->name);
        assert_near(exp(value_at(b, between, s.x)), sum, 1e-9);
    }
    dlpi_builder_free(b);
}

/* ---- draws ---- */

enum { N_DRAWS = 20000 };

static int by_number(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* P(Y <= y), by the sum where there is no function for it */
static double probability_below(dlpi_builder *b, subject *s, double from, double y)
{
    double sum = 0;
    if (s->d->cdf) return cdf_at(b, s, y);
    const dlpi_expr e = s->d->log_density(b, &s->y, s->param);
    for (s->x[0] = from; s->x[0] <= y; s->x[0]++) sum += exp(value_at(b, e, s->x));
    return sum;
}

/* Kolmogorov's distance between the draws and the distribution: 1.95 / sqrt(n) is passed
   once in a thousand seeds. */
static void draws(void **state)
{
    (void)state;
    static double y[N_DRAWS];
    dlpi_builder *b;
    assert_ok(dlpi_builder_alloc(&b, error));
    for (int i = 0; i < N_EXAMPLES; i++) {
        const example *x = &examples[i];
        const double *param[4];
        const dlp_index ones[4] = {1, 1, 1, 1};
        subject s;
        dlp_rng rng = dlp_rng_at(5, (uint64_t)i);
        set(&s, b, x->name, x->from, x->n, x->param, false);
        s.at[0] = dlpi_cell(b, 0);
        for (int j = 0; j < x->n; j++) param[j] = &x->param[j];
        for (int j = 0; j < N_DRAWS; j++) s.d->draw(param, ones, 1, &rng, &y[j]);
        qsort(y, N_DRAWS, sizeof *y, by_number);
        double distance = 0;
        for (int j = 0; j < N_DRAWS; j += 20) {
            int ties = j;
            while (ties + 1 < N_DRAWS && y[ties + 1] == y[j]) ties++;
            distance = fmax(distance, fabs(probability_below(b, &s, x->from, y[j]) -
                                           (ties + 1.0) / N_DRAWS));
        }
        const bool tail = !strcmp(x->name, "dbin") && x->param[1] > 100;
        if (distance > 1.95 / sqrt(N_DRAWS) && !tail) print_message("%s\n", x->name);
        assert_true(distance < 1.95 / sqrt(N_DRAWS));
    }
    dlpi_builder_free(b);
}

/* Means and covariances of vectors. */
static void vector_draws(void **state)
{
    (void)state;
    const double mu[2] = {0.3, -1.2}, omega[4] = {2.1, 0.4, 0.4, 1.7}, k[1] = {9};
    const double det = 2.1 * 1.7 - 0.4 * 0.4;
    const double v[4] = {1.7 / det, -0.4 / det, -0.4 / det, 2.1 / det};
    const dlp_index sizes[3] = {2, 4, 1}, matrix_sizes[2] = {4, 1};
    static const char *const names[] = {"dmnorm", "dmnorm.vcov", "dmt"};
    for (int i = 0; i < 3; i++) {
        const dlpi_distribution *d = dlpi_distribution_find(names[i]);
        const double *param[3] = {mu, i == 1 ? v : omega, k};
        dlp_rng rng = dlp_rng_at(6, (uint64_t)i);
        double sum[2] = {0}, square[3] = {0}, y[2];
        for (int j = 0; j < N_DRAWS; j++) {
            d->draw(param, sizes, 2, &rng, y);
            for (int c = 0; c < 2; c++) sum[c] += y[c] / N_DRAWS;
            square[0] += (y[0] - mu[0]) * (y[0] - mu[0]) / N_DRAWS;
            square[1] += (y[0] - mu[0]) * (y[1] - mu[1]) / N_DRAWS;
            square[2] += (y[1] - mu[1]) * (y[1] - mu[1]) / N_DRAWS;
        }
        const double wider = i == 2 ? 9.0 / 7 : 1; /* k / (k-2) */
        for (int c = 0; c < 2; c++) assert_near(sum[c], mu[c], 0.03);
        assert_near(square[0], v[0] * wider, 0.03);
        assert_near(square[1], v[1] * wider, 0.03);
        assert_near(square[2], v[3] * wider, 0.03);
    }
    /* E W = k R^-1, var W_11 = 2 k (R^-1)_11^2 */
    const dlpi_distribution *d = dlpi_distribution_find("dwish");
    const double *param[2] = {omega, k};
    dlp_rng rng = dlp_rng_at(7, 0);
    double mean[4] = {0}, variance = 0, y[4];
    for (int j = 0; j < N_DRAWS; j++) {
        d->draw(param, matrix_sizes, 4, &rng, y);
        for (int c = 0; c < 4; c++) mean[c] += y[c] / N_DRAWS;
        variance += (y[0] - 9 * v[0]) * (y[0] - 9 * v[0]) / N_DRAWS;
    }
    for (int c = 0; c < 4; c++) assert_near(mean[c], 9 * v[c], 0.08);
    assert_near(variance, 2 * 9 * v[0] * v[0], 0.25);
}

/* ---- tails of truncated distributions ---- */

static double normal_between(dlpi_builder *b, double lower, double upper)
{
    subject s;
    set(&s, b, "dnorm", 0, 2, (double[2]){0, 1}, false);
    return value_at(
        b,
        dlpi_log_between(s.d, b, s.param, dlpi_literal(b, lower), dlpi_literal(b, upper)),
        s.x);
}

static void far_between(void **state)
{
    (void)state;
    dlpi_builder *b;
    assert_ok(dlpi_builder_alloc(&b, error));
    /* R: x <- pnorm(c(-31, -30), log.p = TRUE); x[2] + log1p(-exp(x[1] - x[2])) */
    assert_close(normal_between(b, 30, 31), -454.32124395634321, 1e-13);
    assert_close(normal_between(b, -31, -30), -454.32124395634321, 1e-13);
    assert_close(normal_between(b, -1, 1), log(erf(sqrt(0.5))), 1e-14);
    dlpi_builder_free(b);
}

/* ---- names and messages ---- */

static void table(void **state)
{
    (void)state;
    int n = 0;
    const dlpi_distribution *d;
    for (; (d = dlpi_distribution_at(n)); n++) {
        assert_ptr_equal(dlpi_distribution_find(d->name), d);
        if (d->alias) assert_ptr_equal(dlpi_distribution_find(d->alias), d);
        assert_non_null(d->log_density);
        assert_non_null(d->draw);
        assert_non_null(d->shapes_agree);
        assert_non_null(d->params);
    }
    assert_true(n >= 30);
    assert_null(dlpi_distribution_find("dnormal"));
    assert_string_equal(dlpi_distribution_find("dnorm")->complain(1, -1),
                        "must be positive");
    assert_non_null(dlpi_distribution_find("dbern")->complain(0, 1.2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table),
        cmocka_unit_test(densities),
        cmocka_unit_test(distribution_functions),
        cmocka_unit_test(vectors),
        cmocka_unit_test(vector_derivatives),
        cmocka_unit_test(truncation_derivatives),
        cmocka_unit_test(integrals),
        cmocka_unit_test(draws),
        cmocka_unit_test(vector_draws),
        cmocka_unit_test(far_between),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
