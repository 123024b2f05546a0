/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/topics/run.h"

#include "cli/phase.h"
#include "cli/say.h"
#include "cli/topics/commit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Of the time, at most a tenth goes into checkpoints. */
static const double CHECKPOINT_SHARE = 0.1;

char *cli_topics_checkpoint(const char *folder)
{
    return cli_topics_path(folder, "checkpoint", "");
}

/* ---- checkpoints ---- */

typedef struct keeper {
    const char *path;
    double last; /* when the last one was written, or the work began */
    double cost; /* seconds that it took */
    bool warned; /* that one could not be written */
} keeper;

static dlp_status keep(keeper *k, const dlp_ctm *ctm, dlp_error *error)
{
    const double begin = cli_seconds();
    CLI_TRY(dlp_ctm_save(ctm, k->path, error));
    k->last = cli_seconds();
    k->cost = k->last - begin;
    return DLP_OK;
}

static bool is_due(const keeper *k, double every)
{
    if (every <= 0) return true;
    return cli_seconds() - k->last >= fmax(every, k->cost / CHECKPOINT_SHARE);
}

/* ---- the loop ---- */

/* Room for the times of all iterations that there may be; those of an earlier run are not
   known. */
static dlp_status begin_times(cli_topics_fit *fit, dlp_error *error)
{
    const int done = dlp_ctm_result(fit->ctm)->iterations;
    const int most = done > fit->settings.max_iter ? done : fit->settings.max_iter;
    fit->seconds = malloc((size_t)most * sizeof *fit->seconds);
    if (!fit->seconds)
        return dlp_fail(error, DLP_ENOMEM, "not enough memory for the trace");
    for (int i = 0; i < most; i++) fit->seconds[i] = -1;
    return DLP_OK;
}

/* A checkpoint that cannot be written (a full disk) costs safety, not the fit: there may
   be room again when the fit ends. */
static void keep_if_due(const cli_topics_run *run, keeper *k)
{
    dlp_error error = {""};
    if (dlp_ctm_done(run->fit->ctm) || !is_due(k, run->every)) return;
    if (keep(k, run->fit->ctm, &error) == DLP_OK || k->warned) return;
    k->warned = true;
    fprintf(stderr, "delaplace: %s\nGoing on without a checkpoint.\n", error.message);
}

static void step(const cli_topics_run *run, double started, keeper *k)
{
    cli_topics_fit *fit = run->fit;
    const dlp_topics_result *r = dlp_ctm_result(fit->ctm);
    const int before = r->iterations;
    dlp_ctm_step(fit->ctm);
    if (r->iterations == before) return; /* it ended before the trace had a row */
    fit->seconds[before] = cli_seconds() - started;
    cli_progress_iteration(run->progress, r->iterations, "bound per word",
                           r->bound_per_word, r->trace[before].change);
    keep_if_due(run, k);
}

static dlp_status run_loop(const cli_topics_run *run, double started, keeper *k,
                           bool *stopped, dlp_error *error)
{
    dlp_ctm *ctm = run->fit->ctm;
    CLI_TRY(begin_times(run->fit, error));
    while (!dlp_ctm_done(ctm) && !*stopped) {
        step(run, started, k);
        *stopped = cli_progress_watch(NULL, NULL) && !dlp_ctm_done(ctm);
    }
    return *stopped ? keep(k, ctm, error) : DLP_OK;
}

dlp_status cli_topics_run_to_end(const cli_topics_run *run, double started, bool *stopped,
                                 dlp_error *error)
{
    char *path = cli_topics_checkpoint(run->fit->folder);
    keeper k = {.path = path, .last = started};
    *stopped = false;
    if (!path) return cli_topics_no_path(error);
    const dlp_status status = run_loop(run, started, &k, stopped, error);
    run->fit->elapsed = cli_seconds() - started;
    free(path);
    return status;
}
