/* SPDX-License-Identifier: BSD-3-Clause */
/* FIT.json: whatever a file holds is refused with a message, or is a sound fit that can be
   written, read again, and applied to a table. */
#include "fuzz_json.h"
#include "fuzz_sound.h"

#include <delaplace.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
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

static void expect_sound_effects(const dlp_regression *fit)
{
    const dlp_regression_result *r = dlp_regression_result_of(fit);
    dlp_index grouping, level;
    for (dlp_index t = 0; t < r->n_random; t++) {
        const dlp_random_effects *of = &r->random[t];
        dlp_level_effect *effect = calloc((size_t)of->q, sizeof *effect);
        for (dlp_index l = 0; effect && l < of->levels; l++) {
            dlp_regression_level(fit, t, l, effect);
            fuzz_expect(is_finite(of->q, of->mean + l * of->q));
        }
        free(effect);
    }
    for (dlp_index m = 0; dlp_regression_level_at(fit, m, &grouping, &level); m++)
        fuzz_expect(level < r->terms->grouping[grouping].n);
}

static void expect_sound(const dlp_regression *fit)
{
    const dlp_regression_result *r = dlp_regression_result_of(fit);
    dlp_diagnostic diagnostic[4];
    fuzz_expect(r->n > 0 && r->M > 0 && r->p >= 0 && r->terms && r->formula);
    fuzz_expect(is_finite(r->M * r->n, r->mu));
    fuzz_expect(is_finite(r->M * r->n * r->n, r->Sigma));
    fuzz_expect(dlp_regression_diagnose(fit, 4, diagnostic) >= 0);
    for (dlp_index m = 0; m < r->M; m++)
        fuzz_expect((dlp_regression_group(fit, m) != NULL) ==
                    (dlp_regression_is_grouped(r) != 0));
    expect_sound_effects(fit);
}

/* What was written is the same when read again. */
static void expect_same_again(const dlp_regression *fit)
{
    char *first, *second;
    size_t size, again_size;
    dlp_regression *again;
    fuzz_expect(dlp_regression_json(fit, DLP_PART_FILE, 0, &first, &size, NULL) ==
                DLP_OK);
    fuzz_expect(dlp_regression_parse("fuzz", first, size, &again, NULL) == DLP_OK);
    fuzz_expect(dlp_regression_json(again, DLP_PART_FILE, 0, &second, &again_size,
                                    NULL) == DLP_OK);
    fuzz_expect(size == again_size && !memcmp(first, second, size));
    free(first);
    free(second);
    dlp_regression_free(again);
}

static void apply(const dlp_regression *fit, dlp_unseen groups, dlp_predict what)
{
    dlp_prediction_settings settings = dlp_prediction_settings_default();
    dlp_table *table;
    dlp_prediction *prediction;
    dlp_evaluation evaluation;
    dlp_error error = {0};
    settings.what = what;
    settings.unseen_level = DLP_UNSEEN_DROP;
    settings.unseen_group = groups;
    fuzz_expect(dlp_table_parse("fuzz", csv, sizeof csv - 1, NULL, &table, NULL) ==
                DLP_OK);
    const dlp_status status =
        dlp_regression_predict(fit, table, &settings, &prediction, &error);
    fuzz_expect(status == DLP_OK || error.message[0] != '\0');
    if (status == DLP_OK && what == DLP_PREDICT_SCORES)
        fuzz_expect(dlp_prediction_evaluate(prediction, &evaluation, NULL) == DLP_OK);
    dlp_prediction_free(prediction);
    dlp_table_free(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    dlp_regression *fit;
    dlp_error error = {0};
    if (fuzz_passes(dlp_regression_parse("fuzz", (const char *)data, size, &fit,
                                         &error) == DLP_OK)) {
        expect_sound(fit);
        expect_same_again(fit);
        apply(fit, DLP_UNSEEN_DROP, DLP_PREDICT_MEANS);
        apply(fit, DLP_UNSEEN_POPULATION, DLP_PREDICT_SCORES);
        dlp_regression_free(fit);
    } else {
        fuzz_expect(error.message[0] != '\0' && !fit);
    }
    return 0;
}

/* ---- inputs ---- */

static bool passes(const uint8_t *data, size_t size)
{
    dlp_regression *fit = NULL;
    const bool read =
        dlp_regression_parse("fuzz", (const char *)data, size, &fit, NULL) == DLP_OK;
    if (read) dlp_regression_free(fit);
    return read;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
    static const fuzz_sound sound = {passes, fuzz_change_json};
    return fuzz_mutate_sound(&sound, data, size, most, seed);
}
