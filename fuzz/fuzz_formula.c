/* SPDX-License-Identifier: BSD-3-Clause */
/* Any text as a formula over a small table. What can be parsed and built must be sound,
   and building again from its terms must give the same. */
#include "fuzz_sound.h"

#include <delaplace/design.h>
#include <math.h>
#include <string.h>

enum { ROWS = 6, COLUMNS = 9 };

static double y[] = {2.385, 0.71, 3.14, 0.99, 1.27, 5.83}, x[] = {1, 2, 3, 4, 5, 7},
              z[] = {-1.5, 0, 2.5, 1e300, 0.25, -3}, w[] = {1, NAN, 3, 4, 5, 6},
              k[] = {1, 2, 1, 100000, 2, 1};
static int32_t a[] = {0, 1, 2, 0, 1, 2}, b[] = {0, 1, 1, 0, 0, 1},
               g[] = {0, 0, 1, 1, -1, 1}, one[] = {0, 0, 0, 0, 0, 0};
static char name[][4] = {"y", "x", "z", "w", "k", "a", "b", "g", "o n"};
static char level[][2] = {"p", "q", "r"};
static char *levels[] = {level[0], level[1], level[2]};

#define NUMBERS(i, values)                                                               \
    {                                                                                    \
        .name = name[i], .number = (values)                                              \
    }
#define CODES(i, values, n)                                                              \
    {                                                                                    \
        .name = name[i], .kind = DLP_CATEGORICAL, .code = (values), .n_levels = (n),     \
        .level = levels                                                                  \
    }

static dlp_column column[COLUMNS] = {
    NUMBERS(0, y),  NUMBERS(1, x),  NUMBERS(2, z),  NUMBERS(3, w),    NUMBERS(4, k),
    CODES(5, a, 3), CODES(6, b, 2), CODES(7, g, 2), CODES(8, one, 1),
};
static const dlp_table table = {.rows = ROWS, .columns = COLUMNS, .column = column};

static bool is_finite(const double *values, dlp_index n)
{
    for (dlp_index i = 0; values && i < n; i++)
        if (!isfinite(values[i])) return false;
    return true;
}

static void expect_sound_random(const dlp_design *d, const dlp_random *r)
{
    fuzz_expect(r->label && r->group.variable && r->group.n > 1 && r->q > 0);
    for (dlp_index i = 0; i < d->N; i++)
        fuzz_expect(r->code[i] >= 0 && r->code[i] < r->group.n);
    for (dlp_index i = 0; i < r->group.n; i++)
        for (dlp_index other = 0; other < i; other++)
            fuzz_expect(strcmp(r->group.level[i], r->group.level[other]) != 0);
    for (dlp_index j = 0; j < r->q; j++)
        fuzz_expect(r->name[j] && r->name[j][0] && is_finite(r->x[j], d->N));
}

static void expect_sound(const dlp_design *d)
{
    fuzz_expect(d->N > 0 && d->N + d->dropped == ROWS && d->unseen == 0);
    fuzz_expect(d->p > 0 || d->n_random > 0);
    for (dlp_index j = 0; j < d->p; j++) {
        fuzz_expect(d->name[j] && d->name[j][0] && is_finite(d->x[j], d->N));
        fuzz_expect(d->assign[j] >= -1 && d->assign[j] < d->n_terms);
    }
    fuzz_expect(is_finite(d->y, d->N) && is_finite(d->offset, d->N));
    fuzz_expect(is_finite(d->trials, d->N));
    for (dlp_index i = 0; d->class_code && i < d->N; i++)
        fuzz_expect(d->class_code[i] >= 0 && d->class_code[i] < d->terms->response.n);
    for (dlp_index i = 0; d->group && i < d->N; i++)
        fuzz_expect(d->group[i] >= 0 && d->group[i] < d->terms->group.n);
    for (dlp_index r = 0; r < d->n_random; r++) expect_sound_random(d, &d->random[r]);
}

static void expect_same_random(const dlp_design *d, const dlp_random *r,
                               const dlp_random *again)
{
    const size_t N = (size_t)d->N;
    fuzz_expect(strcmp(r->label, again->label) == 0 && r->q == again->q);
    fuzz_expect(r->group.n == again->group.n);
    fuzz_expect(memcmp(r->code, again->code, N * sizeof *r->code) == 0);
    for (dlp_index j = 0; j < r->q; j++) {
        fuzz_expect(strcmp(r->name[j], again->name[j]) == 0);
        fuzz_expect(memcmp(r->x[j], again->x[j], N * sizeof **r->x) == 0);
    }
}

static void expect_same(const dlp_design *d, const dlp_design *again)
{
    fuzz_expect(d->N == again->N && d->p == again->p && d->response == again->response);
    for (dlp_index j = 0; j < d->p; j++) {
        fuzz_expect(strcmp(d->name[j], again->name[j]) == 0);
        fuzz_expect(memcmp(d->x[j], again->x[j], (size_t)d->N * sizeof(double)) == 0);
    }
    fuzz_expect(d->n_random == again->n_random);
    for (dlp_index r = 0; r < d->n_random; r++)
        expect_same_random(d, &d->random[r], &again->random[r]);
}

static void build(const dlp_formula *formula, int random)
{
    dlp_design_options options = dlp_design_options_default();
    dlp_design *design, *again;
    dlp_error error = {0};
    options.random = random;
    if (dlp_design_build(formula, &table, &options, &design, &error) != DLP_OK) {
        fuzz_expect(!design && error.message[0] != '\0');
        return;
    }
    expect_sound(design);
    fuzz_expect(dlp_design_rebuild(design->terms, &table, NULL, &again, &error) ==
                DLP_OK);
    expect_same(design, again);
    dlp_design_free(again);
    dlp_design_free(design);
}

static dlp_status parse(const uint8_t *data, size_t size, dlp_formula **formula,
                        dlp_error *error)
{
    char *text = malloc(size + 1);
    fuzz_expect(text != NULL);
    if (size > 0) memcpy(text, data, size);
    text[size] = '\0';
    const dlp_status status = dlp_formula_parse(text, formula, error);
    free(text);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    dlp_formula *formula = NULL;
    dlp_error error = {0};
    if (fuzz_passes(parse(data, size, &formula, &error) == DLP_OK)) {
        build(formula, 0);
        if (dlp_formula_groups(formula) > 0) build(formula, 1);
    } else {
        fuzz_expect(!formula && strncmp(error.message, "formula:", 8) == 0);
    }
    dlp_formula_free(formula);
    return 0;
}

static bool passes(const uint8_t *data, size_t size)
{
    dlp_formula *formula = NULL;
    const bool read = parse(data, size, &formula, NULL) == DLP_OK;
    dlp_formula_free(formula);
    return read;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
    static const fuzz_sound sound = {.passes = passes};
    return fuzz_mutate_sound(&sound, data, size, most, seed);
}
