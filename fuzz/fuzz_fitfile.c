/* SPDX-License-Identifier: BSD-3-Clause */
/* FIT.json of `delaplace glm fit`: whatever a file holds is refused with a message, or is
   a sound fit that can be written, read again, and applied to a table. */
#include "cli/glm/score.h"
#include "cli/json.h"
#include "fuzz.h"

#include <math.h>
#include <string.h>

static const char csv[] =
    "y,x,g,k,s,f\n"
    "0,0.5,a,low,1,2\n"
    "1,-1.25,b,mid,0,3\n"
    "1,2.5,c,high,2,2\n"
    "0,NA,a,low,3,1\n"
    "1,1e6,d,mid,4,0\n";

static bool is_finite(dlp_index n, const double *x)
{
    for (dlp_index i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

static void expect_sound(const cli_glm_fit *fit)
{
    fuzz_expect(fit->n > 0 && fit->M > 0 && fit->p >= 0 && fit->terms && fit->formula);
    fuzz_expect(is_finite(fit->M * fit->n, fit->mu));
    fuzz_expect(is_finite(fit->M * fit->n * fit->n, fit->Sigma));
    fuzz_expect(!fit->mu0 == (fit->grouping != CLI_HIERARCHICAL));
}

/* Written and read again it is the same. */
static void expect_same_again(const cli_glm_fit *fit)
{
    json_t *first = cli_glm_fit_json(fit), *second;
    cli_glm_fit again;
    fuzz_expect(first != NULL);
    json_object_del(first, "trace"); /* which is not read back */
    fuzz_expect(cli_glm_fit_parse("fuzz", first, &again, NULL) == DLP_OK);
    second = cli_glm_fit_json(&again);
    fuzz_expect(second != NULL);
    json_object_del(second, "trace");
    fuzz_expect(json_equal(first, second));
    json_decref(first);
    json_decref(second);
    cli_glm_fit_clear(&again);
}

static void apply(const cli_glm_fit *fit, const char *unseen, cli_glm_wanted wanted)
{
    const cli_glm_source source = {
        .path = "fuzz", .format = "csv", .unseen = unseen, .missing = "drop"};
    cli_glm_rows rows = {.table = NULL};
    cli_glm_scores scores = {.memory = NULL};
    dlp_error error = {""};
    fuzz_expect(dlp_table_parse("fuzz", csv, sizeof csv - 1, NULL, &rows.table, NULL) ==
                DLP_OK);
    const bool ok = cli_glm_rows_rebuild(&source, fit, wanted == CLI_WANT_SCORES, &rows,
                                         &error) == DLP_OK &&
                    cli_glm_score(fit, &rows, wanted, &scores, &error) == DLP_OK;
    fuzz_expect(ok || error.message[0] != '\0');
    free(scores.memory);
    cli_glm_rows_clear(&rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    json_error_t where;
    json_t *root = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES, &where);
    if (!root) return 0;
    cli_glm_fit fit;
    dlp_error error = {""};
    if (cli_glm_fit_parse("fuzz", root, &fit, &error) == DLP_OK) {
        expect_sound(&fit);
        expect_same_again(&fit);
        apply(&fit, "drop", CLI_WANT_PREDICTIONS);
        apply(&fit, "population", CLI_WANT_SCORES);
        cli_glm_fit_clear(&fit);
    } else {
        fuzz_expect(error.message[0] != '\0' && !fit.terms);
    }
    json_decref(root);
    return 0;
}
