/* SPDX-License-Identifier: BSD-3-Clause */
/* A topic model out of a fit: EM from its start, or from a checkpoint, to its end. */
#include "core/core.h"
#include "core/settings.h"
#include "topics/ctm/ctm_fit.h"
#include "topics/ctm/seconds.h"
#include "topics/model/folder.h"
#include "topics/model/model.h"

#include <delaplace/processes.h>

#include <math.h>
#include <string.h>
#include <unistd.h>

/* At most a tenth of the time goes into checkpoints. */
static const double CHECKPOINT_SHARE = 0.1;

void dlp_checkpoint_settings_init(dlp_checkpoint_settings *settings, size_t size)
{
    const dlp_checkpoint_settings defaults = {.every = 2};
    dlpi_settings_give(settings, size, &defaults, sizeof defaults);
}

/* All that a fit holds; release works when it is half built, too. */
typedef struct fit {
    dlpi_topic_request request;
    dlp_covariates numbers;
    const dlpi_ctm_former *former; /* NULL: none */
    dlp_ctm *ctm;
    double began;
    double *seconds; /* (iterations) from the start to the end of each; NaN: in an earlier
                        run */
    bool leads;      /* process 0, or the only one */
    bool keeps;      /* checkpoints */
    char *path; /* of the checkpoint; NULL: there are none, or another process has it */
    dlp_checkpoint_settings checkpoint;
    double last, cost; /* when the last one was written, and the seconds it took */
    bool failed;       /* one could not be written */
} fit;

static void release(fit *f)
{
    dlp_ctm_free(f->ctm);
    free(f->seconds);
    free(f->path);
}

static dlp_status make_request(const dlp_corpus *corpus,
                               const dlp_document_covariates *covariates,
                               const dlp_topics_settings *settings,
                               dlpi_topic_request *request, dlp_error *error)
{
    *request = (dlpi_topic_request){.corpus = corpus,
                                    .covariates = covariates,
                                    .settings = dlp_topics_settings_default()};
    dlp_topics_settings *s = &request->settings;
    DLP_TRY(dlpi_settings_take(s, sizeof *s, settings, error));
    if (s->smooth == 0 && s->K > 0 && corpus && corpus->words > 0) /* for model.json */
        s->smooth = dlpi_ctm_usual_smooth(s->K, corpus->V, corpus->words);
    return DLP_OK;
}

static bool is_leading(const dlpi_topic_request *request)
{
    dlp_processes *processes = request->settings.processes;
    return !processes || dlp_processes_rank(processes) == 0;
}

static dlp_status make_model(const fit *f, dlp_topic_model **model, dlp_error *error)
{
    if (!f->leads) return DLP_OK;
    dlpi_tree_end(&f->ctm->tree); /* the model is a copy of the topics */
    DLP_TRY(dlpi_topic_model_make(&f->request, f->ctm, f->seconds, model, error));
    (*model)->info.seconds = dlpi_seconds() - f->began;
    (*model)->info.divided = f->ctm->divided ? f->ctm->share.comm->size : 0;
    return DLP_OK;
}

/* ---- checkpoints ---- */

/* With several processes, process 0 keeps it; it has the documents' means. */
static dlp_status keep(fit *f, dlp_error *error)
{
    const double began = dlpi_seconds();
    if (!f->leads) return DLP_OK;
    DLP_TRY(dlp_ctm_save(f->ctm, f->path, error));
    f->last = dlpi_seconds();
    f->cost = f->last - began;
    return DLP_OK;
}

static bool is_due(const fit *f)
{
    const double every = f->checkpoint.every;
    if (every <= 0) return true;
    return dlpi_seconds() - f->last >= fmax(every, f->cost / CHECKPOINT_SHARE);
}

/* A checkpoint that cannot be written (a full disk) costs safety, not the fit. */
static void keep_if_due(fit *f)
{
    dlp_error error = {0};
    if (!f->keeps || dlp_ctm_done(f->ctm)) return;
    if (!dlpi_ctm_lead_decides(f->ctm, is_due(f))) return;
    dlpi_ctm_collect_state(f->ctm);
    if (keep(f, &error) == DLP_OK || f->failed) return;
    f->failed = true;
    if (f->checkpoint.failed) f->checkpoint.failed(f->checkpoint.context, &error);
}

/* A fit that ended before convergence may be continued, but is a model even without a
   checkpoint; of a cancelled fit there is only the checkpoint. */
static dlp_status keep_end(fit *f, dlp_error *error)
{
    const dlp_outcome outcome = dlp_ctm_result(f->ctm)->outcome;
    dlp_error why = {0};
    if (outcome == DLP_CANCELLED) return keep(f, error);
    if (outcome == DLP_MAX_ITERATIONS && keep(f, &why) != DLP_OK && !f->failed &&
        f->checkpoint.failed)
        f->checkpoint.failed(f->checkpoint.context, &why);
    return DLP_OK;
}

/* ---- EM ---- */

/* The phase begins, perhaps after the iterations of an earlier run. */
static void tell(const fit *f)
{
    const dlp_topics_settings *s = &f->request.settings;
    const dlp_topics_result *r = dlp_ctm_result(f->ctm);
    const dlp_progress progress = {.phase = "fitting",
                                   .iteration = r->iterations,
                                   .max_iter = s->max_iter,
                                   .objective = r->objective,
                                   .tol = s->tol,
                                   .polled = 1};
    if (s->progress) (void)s->progress(s->context, &progress);
}

/* Room for the times of all iterations that there may be; those of an earlier run are not
   known. */
static dlp_status begin_times(fit *f, dlp_error *error)
{
    const int done = dlp_ctm_result(f->ctm)->iterations;
    const int max_iter = f->request.settings.max_iter;
    const int most = done > max_iter ? done : max_iter;
    f->seconds = dlpi_calloc(most, sizeof *f->seconds);
    if (!f->seconds) return dlpi_no_memory(error, "the trace");
    for (int i = 0; i < most; i++) f->seconds[i] = NAN;
    return DLP_OK;
}

static dlp_status run(fit *f, dlp_error *error)
{
    const dlp_topics_result *r = dlp_ctm_result(f->ctm);
    DLP_TRY(begin_times(f, error));
    tell(f);
    while (!dlp_ctm_done(f->ctm)) {
        const int before = r->iterations;
        dlp_ctm_step(f->ctm);
        /* it may have ended before the trace had a row */
        if (r->iterations > before) f->seconds[before] = dlpi_seconds() - f->began;
        keep_if_due(f);
    }
    dlpi_ctm_settle(f->ctm);
    return dlpi_ctm_failure(f->ctm, error);
}

static bool has_checkpoint(const fit *f)
{
    return f->path && f->checkpoint.resume && access(f->path, F_OK) == 0;
}

static dlp_status run_all(fit *f, dlp_error *error)
{
    const dlpi_topic_request *q = &f->request;
    const dlp_covariates *numbers = NULL;
    if (q->covariates) {
        f->numbers = dlp_covariates_of(q->covariates);
        numbers = &f->numbers;
    }
    f->began = f->last = dlpi_seconds();
    DLP_TRY(dlp_ctm_alloc(q->corpus, numbers, &q->settings, &f->ctm, error));
    if (f->former) DLP_TRY(dlpi_ctm_keep(f->ctm, f->former, error));
    if (dlpi_ctm_lead_decides(f->ctm, has_checkpoint(f)))
        DLP_TRY(dlp_ctm_load(f->ctm, f->path, error));
    else
        DLP_TRY(dlp_ctm_start(f->ctm, error));
    return run(f, error);
}

static dlp_status fit_once(const dlp_corpus *corpus,
                           const dlp_document_covariates *covariates,
                           const dlp_topics_settings *settings,
                           const dlpi_ctm_former *former, dlp_topic_model **model,
                           dlp_error *error)
{
    fit f = {.former = former};
    *model = NULL;
    DLP_TRY(make_request(corpus, covariates, settings, &f.request, error));
    f.leads = is_leading(&f.request);
    dlp_status status = run_all(&f, error);
    if (status == DLP_OK) status = make_model(&f, model, error);
    release(&f);
    return status;
}

dlp_status dlp_topic_model_fit(const dlp_corpus *corpus,
                               const dlp_document_covariates *covariates,
                               const dlp_topics_settings *settings,
                               dlp_topic_model **model, dlp_error *error)
{
    *model = NULL;
    if (!corpus) return dlp_fail(error, DLP_EINVAL, "a topic model needs a corpus");
    return fit_once(corpus, covariates, settings, NULL, model, error);
}

dlp_status dlpi_topic_model_fit_kept(const dlp_corpus *corpus,
                                     const dlp_topics_settings *settings,
                                     const dlpi_ctm_former *former,
                                     dlp_topic_model **model, dlp_error *error)
{
    return fit_once(corpus, NULL, settings, former, model, error);
}

/* ---- in a folder ---- */

static dlp_status run_to_model(fit *f, dlp_topic_model **model, dlp_error *error)
{
    DLP_TRY(run_all(f, error));
    DLP_TRY(keep_end(f, error));
    return make_model(f, model, error);
}

dlp_status dlp_topic_folder_fit(dlp_topic_folder *folder, const dlp_corpus *corpus,
                                const dlp_document_covariates *covariates,
                                const dlp_topics_settings *settings,
                                const dlp_checkpoint_settings *checkpoint,
                                dlp_topic_model **model, dlp_error *error)
{
    fit f = {.checkpoint = dlp_checkpoint_settings_default()};
    *model = NULL;
    DLP_TRY(make_request(corpus, covariates, settings, &f.request, error));
    DLP_TRY(dlpi_settings_take(&f.checkpoint, sizeof f.checkpoint, checkpoint, error));
    f.leads = is_leading(&f.request);
    f.keeps = true;
    if (!f.request.settings.scratch && folder) f.request.settings.scratch = folder->path;
    if (f.leads && folder) f.path = dlpi_folder_path(folder->path, "checkpoint", "");
    const dlp_status status =
        !f.leads || f.path ? run_to_model(&f, model, error) : dlpi_folder_no_path(error);
    release(&f);
    return status;
}

/* Whether a model.json belongs to the fit that was asked for, and that fit has
   converged. */
static bool is_finished(const json_t *info, json_t *request)
{
    const char *outcome = json_string_value(json_object_get(info, "outcome"));
    bool same = outcome && !strcmp(outcome, dlp_outcome_name(DLP_CONVERGED)) &&
                !json_object_get(info, "updates"); /* then it was fitted in pieces */
    const char *key;
    json_t *value;
    json_object_foreach(request, key, value)
    {
        same &= json_equal(value, json_object_get(info, key));
    }
    return same;
}

static dlp_status load_finished(const char *path, json_t *request,
                                dlp_topic_model **model, dlp_error *error)
{
    json_t *info;
    if (!request) return dlpi_no_memory(error, "model.json");
    DLP_TRY(dlpi_folder_read_info(path, &info, error));
    const bool finished = is_finished(info, request);
    json_decref(info);
    return finished ? dlp_topic_model_load(path, DLP_LOAD_ALL, model, error) : DLP_OK;
}

dlp_status dlp_topic_folder_finished(const dlp_topic_folder *folder,
                                     const dlp_corpus *corpus,
                                     const dlp_document_covariates *covariates,
                                     const dlp_topics_settings *settings,
                                     dlp_topic_model **model, dlp_error *error)
{
    dlpi_topic_request asked;
    *model = NULL;
    DLP_TRY(make_request(corpus, covariates, settings, &asked, error));
    if (dlp_topic_folder_has_checkpoint(folder) ||
        !dlpi_folder_has(folder->path, "model.json"))
        return DLP_OK;
    json_t *request = dlpi_topic_request_json(&asked);
    const dlp_status status = load_finished(folder->path, request, model, error);
    json_decref(request);
    return status;
}
