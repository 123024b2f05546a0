/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/priors/prior_statement.h"

#include "core/core.h"
#include "core/suggest.h"
#include "io/number.h"

#include <delaplace/glm.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 32, MOST_NUMBERS = 3 };

/* The rest of a statement that is being read. */
typedef struct reader {
    const char *text; /* all of it */
    const char *at;
    dlp_error *error;
} reader;

/* A distribution with its numbers. */
typedef struct distribution {
    char name[WORD];
    int numbers;
    double number[MOST_NUMBERS];
} distribution;

/* ---- words and numbers ---- */

static dlp_status wrong(const reader *r, const char *what)
{
    return dlp_fail(r->error, DLP_EINVAL, "prior '%.120s': %s", r->text, what);
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void skip(reader *r)
{
    while (is_space(*r->at)) r->at++;
}

static bool take(reader *r, char c)
{
    skip(r);
    if (*r->at != c) return false;
    r->at++;
    return true;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-' ||
           c == '.';
}

/* A name that is too long to be one of ours is cut. half-t is half_t. */
static void read_word(reader *r, char word[WORD])
{
    size_t n = 0;
    skip(r);
    for (; is_letter(*r->at); r->at++)
        if (n + 1 < WORD) word[n++] = *r->at == '-' ? '_' : *r->at;
    word[n] = 0;
}

static dlp_status read_numbers(reader *r, distribution *d)
{
    if (!take(r, '(')) return wrong(r, "a distribution has its numbers in brackets");
    for (d->numbers = 0; !take(r, ')');) {
        char *end;
        skip(r);
        if (d->numbers > 0 && !take(r, ',')) return wrong(r, "a ',' or ')' is missing");
        if (d->numbers == MOST_NUMBERS) return wrong(r, "there are too many numbers");
        const double x = dlpi_number_read(r->at, &end);
        if (end == r->at || !isfinite(x)) return wrong(r, "a number is missing");
        d->number[d->numbers++] = x;
        r->at = end;
    }
    return DLP_OK;
}

/* ---- what the prior is about ---- */

/* A name up to a ',' or ')' that is not inside brackets of its own, without the spaces
   around it. An intercept may have its name in R, in brms or in plain English. */
static dlp_status read_name(reader *r, char name[DLPI_PRIOR_NAME])
{
    int depth = 0;
    skip(r);
    const char *first = r->at;
    for (; *r->at && (depth > 0 || (*r->at != ',' && *r->at != ')')); r->at++)
        depth += (*r->at == '(') - (*r->at == ')');
    const char *end = r->at;
    while (end > first && is_space(end[-1])) end--;
    const size_t size = (size_t)(end - first);
    if (size == 0) return wrong(r, "a name is missing between the brackets");
    if (size >= DLPI_PRIOR_NAME) return wrong(r, "a name is too long");
    memcpy(name, first, size);
    name[size] = 0;
    if (!strcmp(name, "1") || !strcmp(name, "Intercept"))
        snprintf(name, DLPI_PRIOR_NAME, "(Intercept)");
    return DLP_OK;
}

static dlp_status read_target(reader *r, dlpi_prior_statement *s)
{
    static const char *const words[] = {"sd", "cor", "b", "coef", "share"};
    static const dlpi_prior_of of[] = {DLPI_PRIOR_OF_SD, DLPI_PRIOR_OF_CORRELATION,
                                       DLPI_PRIOR_OF_COEFFICIENT,
                                       DLPI_PRIOR_OF_COEFFICIENT, DLPI_PRIOR_OF_SHARE};
    static const int most[] = {2, 1, 1, 1, 1};
    enum { WORDS = sizeof words / sizeof *words };
    char word[WORD];
    int i = 0, names = 0;
    read_word(r, word);
    while (i < WORDS && strcmp(words[i], word) != 0) i++;
    if (i == WORDS)
        return wrong(r,
                     "a prior is for sd(GROUP), sd(GROUP, EFFECT), sd(s(x)), cor(GROUP), "
                     "share(bym2(REGION)) or b(TERM), as in sd(g) ~ exponential(1)");
    s->of = of[i];
    if (!take(r, '(')) return DLP_OK;
    do {
        if (names == most[i]) return wrong(r, "there are too many names in the brackets");
        DLP_TRY(read_name(r, s->name[names++]));
    } while (take(r, ','));
    return take(r, ')') ? DLP_OK : wrong(r, "a ')' is missing");
}

/* ---- distributions ---- */

static bool is_scale(double x)
{
    return x >= 1 / DLP_GLM_LARGEST && x <= DLP_GLM_LARGEST;
}

static bool is(const distribution *d, const char *name, int numbers)
{
    return !strcmp(d->name, name) && d->numbers == numbers;
}

static dlp_sd_prior sd_prior(dlp_sd_distribution of, double a, double b)
{
    return (dlp_sd_prior){of, a, b, 1, 0};
}

/* Names used by brms, rstanarm and INLA are accepted for the same few distributions. */
static bool find_sd_prior(const distribution *d, dlp_sd_prior *to)
{
    const double *x = d->number;
    if (is(d, "half_t", 2))
        *to = sd_prior(DLP_SD_HALF_T, x[0], x[1]);
    else if (is(d, "student_t", 3) && x[1] == 0)
        *to = sd_prior(DLP_SD_HALF_T, x[0], x[2]);
    else if (is(d, "half_cauchy", 1))
        *to = sd_prior(DLP_SD_HALF_T, 1, x[0]);
    else if (is(d, "cauchy", 2) && x[0] == 0)
        *to = sd_prior(DLP_SD_HALF_T, 1, x[1]);
    else if (is(d, "half_normal", 1))
        *to = sd_prior(DLP_SD_HALF_NORMAL, x[0], 0);
    else if (is(d, "normal", 2) && x[0] == 0)
        *to = sd_prior(DLP_SD_HALF_NORMAL, x[1], 0);
    else if (is(d, "exponential", 1))
        *to = sd_prior(DLP_SD_EXPONENTIAL, x[0], 0);
    else if (is(d, "pc", 2) && x[1] > 0 && x[1] < 1) /* P(sd > u) = alpha */
        *to = sd_prior(DLP_SD_EXPONENTIAL, -log(x[1]) / x[0], 0);
    else if (is(d, "lognormal", 2))
        *to = sd_prior(DLP_SD_LOG_NORMAL, x[0], x[1]);
    else if (is(d, "uniform", 2))
        *to = sd_prior(DLP_SD_UNIFORM, x[0], x[1]);
    else if (is(d, "fixed", 1))
        *to = sd_prior(DLP_SD_FIXED, x[0], 0);
    else
        return false;
    return true;
}

static dlp_status check_sd_prior(const reader *r, const dlp_sd_prior *prior)
{
    const double a = prior->a, b = prior->b;
    switch (prior->distribution) {
    case DLP_SD_HALF_T:
        if (is_scale(b) && a >= 0.5 && a <= 1e9) return DLP_OK;
        return wrong(r,
                     "its degrees of freedom must be from 0.5 to 1e9, and its scale "
                     "above 0");
    case DLP_SD_UNIFORM:
        if (a >= 0 && b > a && is_scale(b) && is_scale(b - a)) return DLP_OK;
        return wrong(r, "an sd is uniform from a number of at least 0 to a larger one");
    case DLP_SD_LOG_NORMAL:
        if (fabs(a) <= 100 && b >= 1e-3 && b <= 100) return DLP_OK;
        return wrong(r,
                     "the logarithm of an sd has a mean from -100 to 100 and an sd from "
                     "0.001 to 100");
    case DLP_SD_FIXED:
        if (is_scale(a)) return DLP_OK;
        return wrong(
            r,
            "a fixed sd must be above 0; instead of 0, leave the term out of the "
            "formula");
    case DLP_SD_HALF_NORMAL:
    case DLP_SD_EXPONENTIAL: break;
    }
    return is_scale(a) ? DLP_OK : wrong(r, "its number must be above 0");
}

static dlp_status name_known(const reader *r, const distribution *d,
                             const char *const *known, dlp_index n, const char *what)
{
    const char *near = dlpi_suggest(d->name, known, n);
    if (near && strcmp(near, d->name) != 0)
        return dlp_fail(r->error, DLP_EINVAL,
                        "prior '%.120s': there is no distribution '%s'; did you mean "
                        "'%s'?",
                        r->text, d->name, near);
    return wrong(r, what);
}

static dlp_status take_sd(const reader *r, const distribution *d, dlp_sd_prior *to)
{
    static const char *const known[] = {"half_t",      "half_normal", "half_cauchy",
                                        "exponential", "uniform",     "lognormal",
                                        "fixed"};
    if (find_sd_prior(d, to)) return check_sd_prior(r, to);
    return name_known(r, d, known, sizeof known / sizeof *known,
                      "the prior of an sd is half_t(DF, SCALE), half_normal(SCALE), "
                      "half_cauchy(SCALE), exponential(RATE), uniform(FROM, TO), "
                      "pc(U, ALPHA), lognormal(MEAN, SD) or fixed(VALUE)");
}

static dlp_status take_correlation(const reader *r, const distribution *d, double *eta)
{
    static const char *const known[] = {"lkj"};
    if (!is(d, "lkj", 1))
        return name_known(r, d, known, 1, "the prior of correlations is lkj(ETA)");
    *eta = d->number[0];
    return *eta >= 0.01 && *eta <= 1e6
               ? DLP_OK
               : wrong(r, "lkj's number must be from 0.01 to 1e6");
}

static dlp_status take_share(const reader *r, const distribution *d, double *share)
{
    static const char *const known[] = {"beta", "uniform"};
    if (is(d, "uniform", 2) && d->number[0] == 0 && d->number[1] == 1) {
        share[0] = share[1] = 1;
        return DLP_OK;
    }
    if (!is(d, "beta", 2))
        return name_known(r, d, known, 2, "the prior of a share is beta(A, B)");
    memcpy(share, d->number, 2 * sizeof *share);
    return share[0] >= 0.05 && share[0] <= 1e6 && share[1] >= 0.05 && share[1] <= 1e6
               ? DLP_OK
               : wrong(r, "beta's numbers must be from 0.05 to 1e6");
}

static dlp_status take_coefficient(const reader *r, const distribution *d,
                                   dlp_coefficient_prior *to)
{
    static const char *const known[] = {"normal", "student_t"};
    const double *x = d->number;
    if (is(d, "normal", 2))
        *to = (dlp_coefficient_prior){x[0], x[1], 0, 0};
    else if (is(d, "student_t", 3))
        *to = (dlp_coefficient_prior){x[1], x[2], x[0], 0};
    else
        return name_known(r, d, known, 2,
                          "the prior of a coefficient is normal(MEAN, SD) or "
                          "student_t(DF, MEAN, SCALE)");
    if (fabs(to->mean) <= DLP_GLM_LARGEST && is_scale(to->sd) && to->df >= 0 &&
        to->df <= 1e9 && (to->df > 0 || d->numbers == 2))
        return DLP_OK;
    return wrong(r, "its sd, scale and degrees of freedom must be above 0");
}

/* ---- the whole ---- */

static dlp_status read_distribution(reader *r, distribution *d)
{
    read_word(r, d->name);
    if (!d->name[0]) return wrong(r, "a distribution is missing after the '~'");
    DLP_TRY(read_numbers(r, d));
    skip(r);
    return *r->at ? wrong(r, "there is more after the distribution") : DLP_OK;
}

/* sd(g) = 2 is sd(g) ~ fixed(2) */
static dlp_status read_value(reader *r, distribution *d)
{
    char *end;
    *d = (distribution){
        .name = "fixed", .numbers = 1, .number = {dlpi_number_read(r->at, &end)}};
    if (end == r->at) return wrong(r, "a number is missing after the '='");
    r->at = end;
    skip(r);
    return *r->at ? wrong(r, "there is more after the number") : DLP_OK;
}

dlp_status dlpi_prior_statement_parse(const char *text, dlpi_prior_statement *s,
                                      dlp_error *error)
{
    reader r = {text, text, error};
    distribution d = {.numbers = 0};
    *s = (dlpi_prior_statement){.text = text};
    DLP_TRY(read_target(&r, s));
    if (take(&r, '='))
        DLP_TRY(read_value(&r, &d));
    else if (take(&r, '~'))
        DLP_TRY(read_distribution(&r, &d));
    else
        return wrong(&r, "a '~' is missing, as in sd(g) ~ exponential(1)");
    switch (s->of) {
    case DLPI_PRIOR_OF_SD: return take_sd(&r, &d, &s->sd);
    case DLPI_PRIOR_OF_CORRELATION: return take_correlation(&r, &d, &s->lkj);
    case DLPI_PRIOR_OF_SHARE: return take_share(&r, &d, s->share);
    case DLPI_PRIOR_OF_COEFFICIENT: break;
    }
    return take_coefficient(&r, &d, &s->coefficient);
}

dlp_status dlpi_sd_prior_parse(const char *text, dlp_sd_prior *prior, dlp_error *error)
{
    reader r = {text, text, error};
    distribution d = {.numbers = 0};
    DLP_TRY(read_distribution(&r, &d));
    return take_sd(&r, &d, prior);
}

static bool are_alike(const dlpi_prior_statement *a, const dlpi_prior_statement *b)
{
    return a->of == b->of && !strcmp(a->name[0], b->name[0]) &&
           !strcmp(a->name[1], b->name[1]);
}

static dlp_status parse_all(dlp_index n, const char *const *text,
                            dlpi_prior_statement *all, dlp_error *error)
{
    for (dlp_index i = 0; i < n; i++) {
        if (!text[i]) return dlp_fail(error, DLP_EINVAL, "prior %td is NULL", i + 1);
        DLP_TRY(dlpi_prior_statement_parse(text[i], &all[i], error));
        for (dlp_index k = 0; k < i; k++)
            if (are_alike(&all[i], &all[k]))
                return dlp_fail(error, DLP_EINVAL,
                                "the priors '%.100s' and '%.100s' are about the same; "
                                "leave one out",
                                text[k], text[i]);
    }
    return DLP_OK;
}

dlp_status dlpi_prior_statements_parse(dlp_index n, const char *const *text,
                                       dlpi_prior_statement **statements,
                                       dlp_error *error)
{
    *statements = NULL;
    if (n == 0) return DLP_OK;
    if (n < 0 || !text)
        return dlp_fail(error, DLP_EINVAL, "n_priors is %td without priors", n);
    dlpi_prior_statement *all = dlpi_calloc(n, sizeof *all);
    const dlp_status status =
        all ? parse_all(n, text, all, error) : dlpi_no_memory(error, "the priors");
    if (status == DLP_OK)
        *statements = all;
    else
        free(all);
    return status;
}
