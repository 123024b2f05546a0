/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What must make no difference to a regression without a stated prior: which levels are
 * the references of factors and how factors are coded, the units and origins of columns,
 * the order of columns, rows and levels, and the units of a response. Each family fits
 * the same rows in two ways, and what it fits and how certain it is must agree.
 */
#include "support.h"

#include <delaplace.h>
#include <delaplace/random.h>

enum { N = 90 };
static dlp_index used = N; /* the first rows */

/* The same rows, and in another order. There x and z have other origins and units, too,
   and y other units. */
typedef struct rows {
    double y[N], big[N], b[N], k[N], n[N], pos[N], x[N], z[N], far[N], away[N], w[N];
    double share[N], year[N], since[N], moved[N], later[N];
    const char *level[N], *f[N], *g[N], *h[N];
    const char *back[N]; /* g by other names, in the opposite order */
    dlp_table *table;
} rows;

static void make_table(rows *r)
{
    const dlp_column_data column[] = {
        {.name = "y", .number = r->y},         {.name = "big", .number = r->big},
        {.name = "b", .number = r->b},         {.name = "k", .number = r->k},
        {.name = "n", .number = r->n},         {.name = "pos", .number = r->pos},
        {.name = "x", .number = r->x},         {.name = "z", .number = r->z},
        {.name = "far", .number = r->far},     {.name = "away", .number = r->away},
        {.name = "w", .number = r->w},         {.name = "level", .text = r->level},
        {.name = "f", .text = r->f},           {.name = "g", .text = r->g},
        {.name = "h", .text = r->h},           {.name = "share", .number = r->share},
        {.name = "year", .number = r->year},   {.name = "since", .number = r->since},
        {.name = "back", .text = r->back},     {.name = "moved", .number = r->moved},
        {.name = "later", .number = r->later},
    };
    assert_ok(dlp_table_from_columns(used, 21, column, &r->table, error));
}

static uint64_t seed = 5;
static double degrees; /* of freedom; 0: not stated */

/* Row i, which is at `at`. No row has both f = a and g = r. */
static void draw_row(rows *r, int i, int at)
{
    static const char *const level[] = {"low", "middle", "high"};
    static const char *const f[] = {"a", "b", "c"}, *const g[] = {"p", "q", "r", "s",
                                                                  "t"};
    static const char *const back[] = {"e", "d", "c", "b", "a"};
    dlp_rng rng = dlp_rng_at(seed, (uint64_t)i);
    const int of_f = (int)(3 * dlp_draw_uniform(&rng));
    int of_g = (int)(5 * dlp_draw_uniform(&rng));
    if (of_f == 0 && of_g == 2) of_g = 4;
    const int of_h = dlp_draw_uniform(&rng) < 0.4;
    const double x = dlp_draw_normal(&rng) + of_f, z = dlp_draw_normal(&rng);
    const double eta = 0.5 * x - 0.3 * z + 0.3 * of_g - 0.5 * (of_f == 1) + 0.3 * of_h;
    r->x[at] = x;
    r->z[at] = z;
    r->far[at] = 200 + 7 * x;
    r->moved[at] = 1e6 + x;
    r->away[at] = 10 + 2 * z;
    r->f[at] = f[of_f];
    r->g[at] = g[of_g];
    r->back[at] = back[of_g];
    r->h[at] = of_h ? "yes" : "no";
    r->w[at] = 1 + i % 3;
    r->y[at] = eta + dlp_draw_normal(&rng);
    r->big[at] = 1e9 * r->y[at];
    r->b[at] = dlp_draw_uniform(&rng) < dlp_logistic(eta);
    r->n[at] = 3;
    r->k[at] = floor(4 * dlp_draw_uniform(&rng) * exp(0.3 * eta));
    if (r->k[at] > 2) r->n[at] = r->k[at] + 1;
    r->pos[at] = exp(0.5 * eta) * dlp_draw_gamma(&rng, 2.385);
    const double u = eta + dlp_draw_normal(&rng);
    r->level[at] = level[u < 0 ? 0 : u < 1.2 ? 1 : 2];
    r->share[at] = dlp_logistic(0.5 * eta + 0.7 * dlp_draw_normal(&rng));
    r->since[at] = floor(14 * dlp_draw_uniform(&rng)) - 7;
    r->year[at] = 2010 + r->since[at];
    r->later[at] = 1000 + r->year[at];
}

static rows *draw_rows(bool backwards)
{
    rows *r = calloc(1, sizeof *r);
    for (int i = 0; i < used; i++) draw_row(r, i, backwards ? (int)used - 1 - i : i);
    make_table(r);
    return r;
}

static void free_rows(rows *r)
{
    dlp_table_free(r->table);
    free(r);
}

/* ---- one fit ---- */

static const struct family {
    const char *name, *response, *link;
} families[] = {
    {"bernoulli", "b", NULL},
    {"binomial", "cbind(k, n)", NULL},
    {"poisson", "k", NULL},
    {"gaussian", "y", NULL},
    {"negative-binomial", "k", NULL},
    {"gamma", "pos", NULL},
    {"ordinal", "level", NULL},
    {"multinomial", "level", NULL},
    {"ordinal", "level", "probit"},
    {"ordinal", "level", "cloglog"},
    {"poisson", "n", "identity"},
    {"poisson", "n", "sqrt"},
    {"bernoulli", "b", "probit"},
    {"binomial", "cbind(k, n)", "cloglog"},
    {"log-normal", "pos", NULL},
    {"exponential", "Surv(pos, b)", NULL},
    {"weibull", "Surv(pos, b)", NULL},
    {"tobit", "tobit(y)", NULL},
    {"beta", "share", NULL},
    {"beta-binomial", "cbind(k, n)", NULL},
    {"zero-inflated-poisson", "k", NULL},
    {"hurdle-poisson", "k", NULL},
    {"zero-inflated-negative-binomial", "k", NULL},
    {"hurdle-negative-binomial", "k", NULL},
};
/* From here on they are tried on some of the many codings. */
enum { FAMILIES = sizeof families / sizeof *families, OTHERS = 12 };

/* How to fit: the right side of a formula, and what else may differ. */
typedef struct way {
    const char *terms;
    const char *f, *g, *h; /* references; NULL: the first */
    bool backwards;        /* the rows */
    bool turned;           /* the levels of a multinomial response */
    const char *response;  /* another */
} way;

/* What is fitted for row i: the predictor and its sd, or the probabilities of levels; and
   the evidence, which depends on how wide all of it is. */
typedef struct fitted {
    dlp_index levels;
    double value[3 * N], sd[N], evidence;
} fitted;

static void take(const dlp_prediction_result *p, const way *how, fitted *out)
{
    out->levels = p->levels;
    for (dlp_index i = 0; i < used; i++) {
        const dlp_index at = how->backwards ? used - 1 - i : i;
        if (out->levels == 0) {
            out->value[i] = p->eta[at];
            out->sd[i] = p->eta_sd[at];
        }
        for (dlp_index l = 0; l < out->levels; l++) /* high, low, middle */
            out->value[3 * i + (how->turned ? (l + 2) % 3 : l)] =
                p->probability[3 * at + l];
    }
}

static void fit(const struct family *family, const way *how, const char *weights,
                fitted *out)
{
    static const char *const turned[] = {"middle", "high", "low"};
    static const char *const ordered[] = {"low", "middle", "high"};
    const bool ordinal = !strcmp(family->name, "ordinal");
    const dlp_reference reference[] = {{"f", how->f}, {"g", how->g}, {"h", how->h}};
    dlp_reference asked[3];
    dlp_regression_settings s = dlp_regression_settings_default();
    s.ungraded = 1; /* fits are compared, not their checks */
    for (int i = 0; i < 3; i++)
        if (reference[i].level) asked[s.n_references++] = reference[i];
    s.reference = asked;
    s.family = family->name;
    s.link = family->link;
    s.weights = weights;
    s.df = degrees;
    if (ordinal || (how->turned && !strcmp(family->name, "multinomial"))) {
        s.n_levels = 3;
        s.level = ordinal ? ordered : turned;
    }
    char formula[200];
    snprintf(formula, sizeof formula, "%s ~ %s",
             how->response ? how->response : family->response, how->terms);
    rows *r = draw_rows(how->backwards);
    dlp_regression *fit = NULL;
    dlp_prediction *predicted = NULL;
    assert_ok(dlp_regression_fit(formula, r->table, &s, &fit, error));
    assert_ok(dlp_regression_predict(fit, r->table, NULL, &predicted, error));
    way as_fitted = *how;
    as_fitted.turned = s.level == turned;
    take(dlp_prediction_result_of(predicted), &as_fitted, out);
    out->evidence = dlp_regression_result_of(fit)->objective;
    dlp_prediction_free(predicted);
    dlp_regression_free(fit);
    free_rows(r);
}

/* ---- two that must agree ---- */

/* How the two ways differ is looked at; close: of an sd. */
static void compare(const struct family *family, const way *a, const way *b,
                    const fitted *one, const fitted *other, double unit, double close)
{
    if (unit == 1 && fabs(other->evidence - one->evidence) > 1e-7)
        fail_msg("%s: '%s' and '%s': the evidence is %.12g and %.12g", family->name,
                 a->terms, b->terms, one->evidence, other->evidence);
    for (dlp_index i = 0; i < (one->levels > 0 ? 3 : 1) * used; i++) {
        const double sd = one->levels > 0 ? 1 : one->sd[i];
        const double off = fabs(other->value[i] / unit - one->value[i]) / sd;
        const double wider =
            one->levels > 0 ? 0 : fabs(other->sd[i] / unit / one->sd[i] - 1);
        if (off <= close && wider <= close) continue;
        fail_msg("%s: '%s' and '%s': row %td is %g sds off, its sd by %g", family->name,
                 a->terms, b->terms, i, off, wider);
    }
}

static void agree_within(const struct family *family, const way *a, const way *b,
                         const char *weights, double unit, double close)
{
    fitted one, other;
    fit(family, a, weights, &one);
    fit(family, b, weights, &other);
    compare(family, a, b, &one, &other, unit, close);
}

static void assert_agree(const struct family *family, const way *a, const way *b,
                         const char *weights, double unit)
{
    agree_within(family, a, b, weights, unit, 1e-8);
}

/* By a family and its terms alone; the case before often began with the same. */
static const fitted *first_fit(int family, const way *a)
{
    static fitted kept[FAMILIES];
    static const char *terms[FAMILIES];
    assert_false(a->f || a->g || a->h || a->backwards || a->turned || a->response);
    if (!terms[family] || strcmp(terms[family], a->terms) != 0)
        fit(&families[family], a, NULL, &kept[family]);
    terms[family] = a->terms;
    return &kept[family];
}

/* Under sanitizers a third of the families, others in the next case. */
static void assert_some_agree(const way *a, const way *b, int n)
{
    static int turn;
    /* without an intercept a mean is below 0 somewhere */
    const bool level = strncmp(a->terms, "0 + x", 5) != 0;
    for (int i = SANITISED ? turn++ % 3 : 0; i < n; i += SANITISED ? 3 : 1) {
        const struct family *family = &families[i];
        const bool positive = !strcmp(family->name, "poisson") && family->link;
        fitted other;
        if (!level && positive) continue;
        fit(family, b, NULL, &other);
        compare(family, a, b, first_fit(i, a), &other, 1, 1e-8);
    }
}

/* Under the sanitizers a few cases will do: the other build has them all. */
enum { EACH = SANITISED ? 8 : 1 };

static void references_and_codings(void **state)
{
    (void)state;
    const way cases[][2] = {
        {{.terms = "x + f + g"}, {.terms = "x + f + g", .f = "c", .g = "s"}},
        {{.terms = "x + f + g"}, {.terms = "0 + f + x + g", .g = "q"}},
        {{.terms = "x + f + g"}, {.terms = "0 + g + x + f", .f = "b"}},
        {{.terms = "x * f"}, {.terms = "f + f:x", .f = "b"}},
        {{.terms = "x * f"}, {.terms = "0 + f / x", .f = "c"}},
        {{.terms = "x * f"}, {.terms = "0 + f + f:x", .f = "c"}},
        {{.terms = "f * g"}, {.terms = "f * g", .f = "b", .g = "r"}},
        {{.terms = "f * g"}, {.terms = "f:g", .f = "c"}},
        {{.terms = "f * g"}, {.terms = "0 + f:g", .g = "t"}},
        {{.terms = "f * g"}, {.terms = "g / f", .f = "b"}},
        {{.terms = "x * z * f"}, {.terms = "x * z * f", .f = "b"}},
        {{.terms = "f * h + x"}, {.terms = "f * h + x", .f = "b", .h = "yes"}},
        {{.terms = "f * h + x"}, {.terms = "0 + h:f + x", .f = "b", .h = "yes"}},
        {{.terms = "h * x"}, {.terms = "h * x", .h = "yes"}},
        {{.terms = "h * x"}, {.terms = "0 + h + h:x", .h = "yes"}},
        {{.terms = "h"}, {.terms = "0 + h"}},
        {{.terms = "0 + x:g"}, {.terms = "0 + x + x:g", .g = "s"}},
        {{.terms = "f + g + f:g + f:h"},
         {.terms = "f + g + f:g + f:h", .f = "c", .g = "t", .h = "yes"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i += EACH)
        assert_some_agree(&cases[i][0], &cases[i][1], i % 4 == 0 ? FAMILIES : OTHERS);
}

static void units_and_origins(void **state)
{
    (void)state;
    const way cases[][2] = {
        {{.terms = "x + f + z"}, {.terms = "far + f + away", .f = "b"}},
        {{.terms = "x * z * f"}, {.terms = "moved * away * f"}},
        {{.terms = "x * z"}, {.terms = "far * away"}},
        {{.terms = "x + I(x^2) + g"}, {.terms = "far + I(far^2) + g"}},
        {{.terms = "x + I(z^2) + I(z^3) + z"},
         {.terms = "x + away + I(away^2) + I(away^3)"}},
        {{.terms = "f / x + h"}, {.terms = "f / far + h", .f = "c", .h = "yes"}},
        {{.terms = "x"}, {.terms = "moved"}},
        {{.terms = "since + I(since^2) + I(since^3) + x"},
         {.terms = "year + I(year^2) + I(year^3) + far"}},
        {{.terms = "f * (since + I(since^2) + I(since^3))"},
         {.terms = "f * (year + I(year^2) + I(year^3))", .f = "b"}},
        {{.terms = "f / (since + I(since^2))"},
         {.terms = "f / (year + I(year^2))", .f = "b"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i += EACH)
        assert_some_agree(&cases[i][0], &cases[i][1], i % 2 == 0 ? FAMILIES : OTHERS);
}

static void orders(void **state)
{
    (void)state;
    const way cases[][2] = {
        {{.terms = "x + f + g + z"}, {.terms = "z + g + x + f", .backwards = true}},
        {{.terms = "x * f + g"},
         {.terms = "g + f:x + f + x", .backwards = true, .turned = true}},
        {{.terms = "x + I(x^2) + I(x^3)"},
         {.terms = "I(x^3) + x + I(x^2)", .turned = true}},
        {{.terms = "f:h:x + f:h"}, {.terms = "h:f + x:h:f", .f = "c", .backwards = true}},
        {{.terms = "x + z"}, {.terms = "z + x", .turned = true}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i += EACH)
        assert_some_agree(&cases[i][0], &cases[i][1], i % 2 == 0 ? FAMILIES : OTHERS);
}

static void weighted_rows(void **state)
{
    (void)state;
    const way a = {.terms = "x * f + g"},
              b = {.terms = "0 + g + f + f:far", .f = "b", .backwards = true};
    for (int i = 0; i < FAMILIES; i += EACH) assert_agree(&families[i], &a, &b, "w", 1);
}

/* Rows of which a rule that looks at single coefficients would tell in one coding that the
   delta method went too far, and in another not; sizes of a negative binomial so large that
   differences of log Gamma lose digits; and columns in units in which a ridge kept the mode
   of a margin from being found. */
static void other_rows(void **state)
{
    const struct {
        uint64_t seed;
        struct family family;
        way a, b;
    } cases[] = {
        {2,
         {"bernoulli", "b", "probit"},
         {.terms = "0 + x:g"},
         {.terms = "0 + x + x:g", .g = "s"}},
        {3, {"bernoulli", "b", "probit"}, {.terms = "f * g"}, {.terms = "0 + f:g"}},
        {4,
         {"zero-inflated-poisson", "k", NULL},
         {.terms = "0 + x:g"},
         {.terms = "0 + x + x:g", .g = "s"}},
        {1,
         {"zero-inflated-negative-binomial", "k", NULL},
         {.terms = "f * g"},
         {.terms = "0 + f:g", .g = "t"}},
        {1,
         {"negative-binomial", "k", NULL},
         {.terms = "x * z * f"},
         {.terms = "x * z * f", .f = "b"}},
        {3,
         {"hurdle-negative-binomial", "k", NULL},
         {.terms = "f * (since + I(since^2) + I(since^3))"},
         {.terms = "f * (year + I(year^2) + I(year^3))", .f = "b"}},
        {8,
         {"zero-inflated-negative-binomial", "k", NULL},
         {.terms = "x + I(x^2)"},
         {.terms = "I(1e-9 * x) + I((1e-9 * x)^2)"}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i += SANITISED ? 2 : 1) {
        seed = cases[i].seed;
        assert_agree(&cases[i].family, &cases[i].a, &cases[i].b, NULL, 1);
    }
    seed = 5;
}

/* Its moments may be those of draws, which do not depend on the columns either. */
static void student_responses(void **state)
{
    (void)state;
    const struct family student = {"student", "y", NULL};
    const way a = {.terms = "x + f + g"},
              b = {.terms = "0 + g + far + f", .f = "b", .backwards = true},
              c = {.terms = "x * f"}, d = {.terms = "f / far", .f = "c"};
    assert_agree(&student, &a, &b, NULL, 1);
    assert_agree(&student, &c, &d, NULL, 1);
    /* of two that differ by rounding, one took a correction of 77 nats to its evidence at
       a scale where its mode is nearly a saddle */
    const way e = {.terms = "f * g"}, g = {.terms = "0 + f:g"};
    degrees = 1;
    assert_agree(&student, &e, &g, NULL, 1);
    degrees = 0;
}

/* Where there is little noise, a student regression of few rows has many modes, of which
   one or another was found as rounding decided. */
static void few_student_rows(void **state)
{
    static const struct {
        uint64_t seed;
        double df;
        way a, b;
    } cases[] = {
        {12, 4, {.terms = "f * g"}, {.terms = "0 + f:g"}},
        {12, 1, {.terms = "f * g"}, {.terms = "g / f", .f = "b"}},
        {2,
         2,
         {.terms = "f + g + f:g + f:h"},
         {.terms = "f + g + f:g + f:h", .f = "c", .g = "t", .h = "yes"}},
        {1, 0, {.terms = "f * g"}, {.terms = "0 + f:g"}},
    };
    const struct family student = {"student", "y", NULL};
    (void)state;
    used = 30;
    for (size_t i = 0; i < sizeof cases / sizeof *cases - (SANITISED ? 1 : 0); i++) {
        seed = cases[i].seed;
        degrees = cases[i].df;
        assert_agree(&student, &cases[i].a, &cases[i].b, NULL, 1);
    }
    used = N;
    seed = 5;
    degrees = 0;
}

/* What a student regression fits for rows of 30 responses by two factors, of which two
   levels never meet; *evidence of it. */
static void fit_few(const char *formula, double df, double *eta, double *evidence)
{
    enum { FEW = 30 };
    static const char *const level[] = {"a", "b", "c"};
    double y[FEW];
    const char *f[FEW], *h[FEW];
    for (int i = 0; i < FEW; i++) {
        dlp_rng rng = dlp_rng_at(2, (uint64_t)i);
        const int of_f = (int)(3 * dlp_draw_uniform(&rng));
        const bool of_h = of_f > 0 && dlp_draw_uniform(&rng) < 0.4;
        f[i] = level[of_f];
        h[i] = of_h ? "yes" : "no";
        y[i] = 0.7 * of_f + 0.3 * of_h + 1.3 * dlp_draw_normal(&rng);
    }
    const dlp_column_data column[] = {
        {.name = "y", .number = y}, {.name = "f", .text = f}, {.name = "h", .text = h}};
    dlp_table *table = NULL;
    dlp_regression *fit = NULL;
    dlp_prediction *predicted = NULL;
    dlp_regression_settings s = dlp_regression_settings_default();
    s.ungraded = 1;
    s.family = "student";
    s.df = df;
    assert_ok(dlp_table_from_columns(FEW, 3, column, &table, error));
    assert_ok(dlp_regression_fit(formula, table, &s, &fit, error));
    const dlp_regression_result *r = dlp_regression_result_of(fit);
    assert_int_equal(r->outcome, DLP_CONVERGED);
    *evidence = r->objective;
    assert_ok(dlp_regression_predict(fit, table, NULL, &predicted, error));
    memcpy(eta, dlp_prediction_result_of(predicted)->eta, FEW * sizeof *eta);
    memcpy(eta + FEW, dlp_prediction_result_of(predicted)->eta_sd, FEW * sizeof *eta);
    dlp_prediction_free(predicted);
    dlp_regression_free(fit);
    dlp_table_free(table);
}

/* Codings differ in how many columns say nothing. Those with more found no maximum at
   scales near 0, and moments by draws depended on the number of columns. */
static void combinations_without_rows(void **state)
{
    static const char *const other[] = {"y ~ f:h", "y ~ 0 + f:h"};
    (void)state;
    for (int i = 0; i < 4; i++) {
        double one[60], same[60], evidence[2];
        fit_few("y ~ f * h", i < 2 ? 0 : 2, one, &evidence[0]);
        fit_few(other[i % 2], i < 2 ? 0 : 2, same, &evidence[1]);
        assert_near(evidence[1], evidence[0], 1e-9);
        for (int k = 0; k < 30; k++) {
            assert_near(same[k], one[k], 1e-8 * one[30 + k]);
            assert_near(same[30 + k] / one[30 + k], 1, 1e-8);
        }
    }
}

static void units_of_a_response(void **state)
{
    (void)state;
    const struct family *gaussian = &families[3];
    const way cases[][2] = {
        {{.terms = "x"}, {.terms = "x", .response = "big"}},
        {{.terms = "x + f * g"}, {.terms = "x + g * f", .response = "big"}}};
    for (int i = 0; i < 2; i++)
        assert_agree(gaussian, &cases[i][0], &cases[i][1], NULL, 1e9);
    rows *r = draw_rows(false);
    dlp_parameter sd[2], q[3];
    for (int i = 0; i < 2; i++) {
        dlp_regression *made = NULL;
        assert_ok(
            dlp_regression_fit(i ? "big ~ x" : "y ~ x", r->table, NULL, &made, error));
        assert_ok(dlp_regression_parameters(made, 0, q, error));
        sd[i] = q[2];
        dlp_regression_free(made);
    }
    assert_near(sd[1].lower / sd[0].lower, 1e9, 1);
    assert_near(sd[1].upper / sd[0].upper, 1e9, 1);
    assert_near(sd[1].mean / sd[0].mean, 1e9, 1);
    free_rows(r);
}

/* ---- mixed models ---- */

/* Rows, names of levels, terms and units make no difference. How the population's columns
   are coded does where they are corrected from modes to means, since that is done column
   by column. */
static void mixed_models(void **state)
{
    static const int some[] = {0, 2, 3, 6}; /* bernoulli, poisson, gaussian, ordinal */
    const struct {
        way a, b;
        double close;
    } cases[] = {
        {{.terms = "x + f + (1 | g)"},
         {.terms = "f + x + (1 | back)", .backwards = true},
         1e-8},
        {{.terms = "x + f + (x | g)"}, {.terms = "x + f + (x | back)"}, 1e-8},
        {{.terms = "x + (1 | g) + (1 | f)"}, {.terms = "x + (1 | f) + (1 | g)"}, 1e-8},
        {{.terms = "x + h + (x | g)"},
         {.terms = "I(1000 * x) + h + (I(1000 * x) | g)"},
         1e-8},
        {{.terms = "f + (year | g)"}, {.terms = "f + (later | g)"}, 1e-8},
        {{.terms = "h / year + (year | g)"}, {.terms = "h / later + (later | g)"}, 1e-8},
        {{.terms = "x + f + (1 | g)"}, {.terms = "far + f + (1 | g)", .f = "b"}, 2e-3},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i += SANITISED ? 4 : 1)
        for (size_t k = 0; k < sizeof some / sizeof *some; k += SANITISED ? 2 : 1)
            agree_within(&families[some[k]], &cases[i].a, &cases[i].b, NULL, 1,
                         some[k] == 3 ? fmin(cases[i].close, 1e-7) : cases[i].close);
}

/* ---- powers of a year ---- */

/* a'mu and a'Sigma a, with what (x - c)^k are made of. */
static void expand(const dlp_regression_result *r, const double *a, double *mean,
                   double *sd)
{
    double variance = 0;
    *mean = 0;
    for (dlp_index i = 0; i < 4; i++) {
        *mean += a[i] * r->mu[i];
        for (dlp_index k = 0; k < 4; k++)
            variance += a[i] * r->Sigma[i * r->n + k] * a[k];
    }
    *sd = sqrt(variance);
}

/* Coefficients are those of the columns as they are written, from a file too. */
static void powers_are_told_as_written(void **state)
{
    const double c = 2010, a[4][4] = {{1, -c, c * c, -c * c * c},
                                      {0, 1, -2 * c, 3 * c * c},
                                      {0, 0, 1, -3 * c},
                                      {0, 0, 0, 1}};
    rows *data = draw_rows(false);
    dlp_regression *near = NULL, *far = NULL, *again = NULL;
    char *text = NULL;
    size_t size = 0;
    (void)state;
    assert_ok(dlp_regression_fit("y ~ since + I(since^2) + I(since^3)", data->table, NULL,
                                 &near, error));
    assert_ok(dlp_regression_fit("y ~ year + I(year^2) + I(year^3)", data->table, NULL,
                                 &far, error));
    assert_ok(dlp_regression_json(far, DLP_PART_FILE, 0, &text, &size, error));
    assert_ok(dlp_regression_parse("fit.json", text, size, &again, error));
    for (int k = 0; k < 2; k++) {
        dlp_parameter q[5];
        assert_ok(dlp_regression_parameters(k ? again : far, 0, q, error));
        for (dlp_index i = 0; i < 4; i++) {
            double mean, sd;
            expand(dlp_regression_result_of(near), a[i], &mean, &sd);
            assert_true(fabs(q[i].mean - mean) < 1e-7 * sd);
            assert_true(fabs(q[i].sd / sd - 1) < 1e-7);
        }
    }
    free(text);
    dlp_regression_free(near);
    dlp_regression_free(far);
    dlp_regression_free(again);
    free_rows(data);
}

/* ---- a factor of many levels ---- */

enum { STATES = 48, YEARS = 7, ROWS = STATES * YEARS };

/* A tax that hardly varies within a state, and states that differ by it in the other
   direction than its effect, as in studies of panels. */
typedef struct panel {
    double rate[ROWS], tax[ROWS];
    int32_t state[ROWS], year[ROWS];
    char name[STATES][8];
    const char *states[STATES], *years[YEARS];
    dlp_table *table;
} panel;

static panel *draw_panel(void)
{
    static const char *const years[] = {"1982", "1983", "1984", "1985",
                                        "1986", "1987", "1988"};
    panel *p = calloc(1, sizeof *p);
    dlp_rng rng = dlp_rng_at(11, 0);
    for (int s = 0; s < STATES; s++) {
        const double mean = 0.6 * dlp_draw_gamma(&rng, 1.2);
        const double effect = 2 + mean + 0.3 * dlp_draw_normal(&rng);
        snprintf(p->name[s], sizeof p->name[s], "s%02d", s);
        p->states[s] = p->name[s];
        for (int t = 0; t < YEARS; t++) {
            const int i = s * YEARS + t;
            p->state[i] = s;
            p->year[i] = t;
            p->tax[i] = mean * (1 - 0.02 * t) + 0.05 * dlp_draw_normal(&rng);
            p->rate[i] = effect - 0.64 * p->tax[i] + 0.19 * dlp_draw_normal(&rng);
        }
    }
    memcpy(p->years, years, sizeof years);
    const dlp_column_data column[] = {
        {.name = "rate", .number = p->rate},
        {.name = "tax", .number = p->tax},
        {.name = "state", .code = p->state, .n_levels = STATES, .level = p->states},
        {.name = "year", .code = p->year, .n_levels = YEARS, .level = p->years},
    };
    assert_ok(dlp_table_from_columns(ROWS, 4, column, &p->table, error));
    return p;
}

/* x less its means by state and by year, which in a balanced panel are those of lm. */
static void sweep(const double *x, double *out)
{
    double state[STATES] = {0}, year[YEARS] = {0}, all = 0;
    for (int i = 0; i < ROWS; i++) {
        state[i / YEARS] += x[i] / YEARS;
        year[i % YEARS] += x[i] / STATES;
        all += x[i] / ROWS;
    }
    for (int i = 0; i < ROWS; i++)
        out[i] = x[i] - state[i / YEARS] - year[i % YEARS] + all;
}

/* What R's lm(rate ~ tax + state + year) says about tax. */
static void within(const panel *p, double *slope, double *se)
{
    double x[ROWS], y[ROWS], xx = 0, xy = 0, left = 0;
    sweep(p->tax, x);
    sweep(p->rate, y);
    for (int i = 0; i < ROWS; i++) {
        xx += x[i] * x[i];
        xy += x[i] * y[i];
    }
    *slope = xy / xx;
    for (int i = 0; i < ROWS; i++)
        left += (y[i] - *slope * x[i]) * (y[i] - *slope * x[i]);
    *se = sqrt(left / (ROWS - 1 - STATES - YEARS + 1) / xx);
}

static void many_levels_leave_a_column_alone(void **state)
{
    (void)state;
    static const char *const references[] = {"s00", "s07", "s31", "s47"};
    panel *p = draw_panel();
    double slope, se, first = 0;
    within(p, &slope, &se);
    for (int i = 0; i < 5; i++) {
        const dlp_reference asked = {"state", references[i % 4]};
        dlp_regression_settings s = dlp_regression_settings_default();
        s.ungraded = 1;
        dlp_regression *fit = NULL;
        s.n_references = 1;
        s.reference = &asked;
        assert_ok(dlp_regression_fit(i < 4 ? "rate ~ tax + state + year"
                                           : "rate ~ tax + 0 + year + state",
                                     p->table, &s, &fit, error));
        const dlp_regression_result *r = dlp_regression_result_of(fit);
        const dlp_index tax = i < 4 ? 1 : 0;
        assert_string_equal(r->column[tax], "tax");
        const double mean = r->mu[tax], sd = sqrt(r->Sigma[tax * (r->n + 1)]);
        assert_near(mean, slope, 0.05 * se);
        assert_near(sd / se, 1, 0.02);
        if (i == 0) first = mean;
        assert_near(mean, first, 1e-8 * se);
        dlp_regression_free(fit);
    }
    dlp_table_free(p->table);
    free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(references_and_codings),
        cmocka_unit_test(units_and_origins),
        cmocka_unit_test(orders),
        cmocka_unit_test(weighted_rows),
        cmocka_unit_test(other_rows),
        cmocka_unit_test(student_responses),
        cmocka_unit_test(few_student_rows),
        cmocka_unit_test(combinations_without_rows),
        cmocka_unit_test(units_of_a_response),
        cmocka_unit_test(mixed_models),
        cmocka_unit_test(powers_are_told_as_written),
        cmocka_unit_test(many_levels_leave_a_column_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
