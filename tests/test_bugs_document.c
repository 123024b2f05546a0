/* SPDX-License-Identifier: BSD-3-Clause */
/* docs/bugs.md names all distributions and functions of the language. */
#include "bugs_agree.h"

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 20);
    assert_non_null(file);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    return text;
}

/* As code: behind a backquote. */
static void is_named(const char *text, const char *name)
{
    char code[100];
    snprintf(code, sizeof code, "`%s", name);
    for (const char *at = text; (at = strstr(at, code)); at++)
        if (strchr("`(", at[strlen(code)])) return;
    print_error("docs/bugs.md does not name %s\n", name);
    fail();
}

/* dnorm, pnorm, qnorm and logdensity.norm are listed together. */
static bool is_of_distribution(const char *name)
{
    char as_density[100];
    if (!strncmp(name, "logdensity.", 11)) return true;
    snprintf(as_density, sizeof as_density, "d%s", name + 1);
    return strchr("dpq", name[0]) && dlpi_distribution_find(as_density);
}

static void documents_name_the_language(void **state)
{
    (void)state;
    char *text = read_text(DLP_TEST_DIR "/../docs/bugs.md");
    const dlpi_distribution *d;
    const dlpi_bugs_function *f;
    for (int i = 0; (d = dlpi_distribution_at(i)); i++) {
        is_named(text, d->name);
        if (d->alias) is_named(text, d->alias);
    }
    for (int i = 0; (f = dlpi_bugs_function_at(i)); i++) {
        if (is_of_distribution(f->name) || !strcmp(f->name, "neg")) continue;
        is_named(text, f->name);
        if (f->alias) is_named(text, f->alias);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(documents_name_the_language),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
