/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How uneven are these dice? Four dice of three faces, each thrown ten times, are
 * taken as draws from one Dirichlet; the fit gives its parameters. With pkg-config:
 *
 *   cc die.c $(pkg-config --cflags --libs delaplace) -o die
 */
#include <delaplace.h>
#include <stdio.h>

enum { DICE = 4, FACES = 3 };

static const int32_t throws[DICE * FACES] = {
    5, 3, 2, /* */
    6, 3, 1, /* */
    4, 4, 2, /* */
    7, 2, 1, /* */
};

static dlp_status fit_dice(dlp_corpus *dice, dlp_error *error)
{
    dlp_unigram *unigram = NULL;
    dlp_fit *fit = NULL;
    const dlp_settings settings = dlp_settings_default();
    dlp_status status = dlp_unigram_alloc(dice, &unigram, error);
    if (status == DLP_OK) {
        const dlp_model model = dlp_unigram_model(unigram);
        status = dlp_fit_alloc(&model, &settings, &fit, error);
    }
    if (status == DLP_OK) status = dlp_fit_run(fit, NULL, error);
    if (status == DLP_OK) {
        const double *parameter = dlp_unigram_dirichlet(unigram);
        printf("%s:", dlp_outcome_name(dlp_fit_result(fit)->outcome));
        for (int face = 0; face < FACES; face++) printf(" %.3f", parameter[face]);
        putchar('\n');
    }
    dlp_fit_free(fit);
    dlp_unigram_free(unigram);
    return status;
}

int main(void)
{
    dlp_error error = {0};
    dlp_corpus *dice = NULL;
    dlp_status status = dlp_corpus_from_counts(DICE, FACES, throws, &dice, &error);
    if (status == DLP_OK) status = fit_dice(dice, &error);
    dlp_corpus_free(dice);
    if (status == DLP_OK) return 0;
    fprintf(stderr, "die: %s\n", error.message);
    return 1;
}
