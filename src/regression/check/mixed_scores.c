/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/check/mixed_scores.h"

#include "core/core.h"
#include "regression/check/mixed_target.h"

#include <math.h>

typedef struct scoring {
    const dlp_comparison_settings *s;
    const bool *held; /* (N) or NULL */
    const dlpi_mixed_scores *to;
    dlp_scores *scores;
} scoring;

/* How many draws of x and psi that is. */
static dlp_index count_draws(dlp_index asked, dlp_index most_rows)
{
    const double few = 200, room = 4e7; /* numbers */
    const double most = room / (double)(most_rows > 0 ? most_rows : 1);
    return (dlp_index)fmax(few, fmin((double)asked / 10, most));
}

static dlp_status score(void *context, const dlpi_mixed_found *found, dlp_error *error)
{
    const scoring *c = context;
    const dlp_index S = count_draws(c->s->draws, found->model->rows.most_rows);
    dlpi_mixed_sample sample = {0};
    DLP_TRY(dlpi_mixed_scorable(found->model, error));
    DLP_TRY(dlpi_mixed_sample_make(found, S, c->s->seed, &sample, error));
    const dlp_status status = dlpi_mixed_score(found, &sample, c->held, c->to, error);
    c->scores->posterior_k = fmax(c->scores->posterior_k, sample.psis.k);
    if (!c->held)
        c->scores->log_evidence =
            (dlp_score_sum){sample.log_evidence, sample.log_evidence_se};
    dlpi_mixed_sample_clear(&sample);
    return status;
}

static dlp_status run_folds(dlpi_mixed_target *m, int threads, const dlp_index *fold,
                            dlp_index folds, scoring *c, bool *held, dlp_error *error)
{
    dlpi_listener listener = {.call = c->s->progress, .context = c->s->context};
    for (dlp_index f = 0; f < folds; f++) {
        for (dlp_index i = 0; i < m->data.N; i++) held[i] = fold[i] == f;
        DLP_TRY(dlpi_comparison_tell(c->s, "cross-validating", "folds", f, folds, error));
        DLP_TRY(dlpi_mixed_target_fit(m, held, threads, &listener, score, c, error));
    }
    return DLP_OK;
}

dlp_status dlpi_score_mixed(const dlpi_target *target, const dlp_comparison_settings *s,
                            int threads, const dlp_index *fold, dlp_index folds,
                            const dlpi_mixed_scores *to, dlp_scores *scores,
                            dlp_error *error)
{
    dlpi_mixed_target mixed = {0};
    bool *held = fold ? dlpi_calloc(target->data.N, sizeof *held) : NULL;
    scoring c = {.s = s, .held = held, .to = to, .scores = scores};
    dlpi_listener listener = {.call = s->progress, .context = s->context};
    dlp_status status = !fold || held
                            ? dlpi_mixed_target_make(target, true, &mixed, error)
                            : dlpi_no_memory(error, "the folds");
    if (status == DLP_OK && fold)
        status = run_folds(&mixed, threads, fold, folds, &c, held, error);
    else if (status == DLP_OK)
        status =
            dlpi_mixed_target_fit(&mixed, NULL, threads, &listener, score, &c, error);
    dlpi_mixed_target_clear(&mixed);
    free(held);
    return status;
}
