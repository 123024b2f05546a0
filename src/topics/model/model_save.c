/* SPDX-License-Identifier: BSD-3-Clause */
/* A topic model on its way into its folder. */
#include "core/core.h"
#include "io/json.h"
#include "io/number.h"
#include "topics/model/folder.h"
#include "topics/model/folder_files.h"
#include "topics/model/model.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static bool fits_a_line(const char *name)
{
    const size_t length = strlen(name);
    return name[strspn(name, " \t")] && !strchr(name, '\n') && name[length - 1] != '\r';
}

static dlp_status check_lines(const char *what, char *const *name, dlp_index n,
                              dlp_error *error)
{
    for (dlp_index i = 0; name && i < n; i++)
        if (!fits_a_line(name[i]))
            return dlp_fail(error, DLP_EINPUT,
                            "%s %td is called '%.40s', which cannot be written on one "
                            "line; give it another name",
                            what, i + 1, name[i]);
    return DLP_OK;
}

dlp_status dlp_topic_folder_check_names(const dlp_corpus *corpus, dlp_error *error)
{
    DLP_TRY(check_lines("term", corpus->vocab, corpus->V, error));
    return check_lines("document", corpus->name, corpus->D, error);
}

/* A number that does not exist, such as the evidence of a fit that diverged, leaves its
   field empty. */
static void print_number(FILE *out, double x)
{
    if (isfinite(x)) dlpi_number_put(out, 17, x);
    fputc(',', out);
}

static void print_seconds(FILE *out, double seconds)
{
    char text[64];
    snprintf(text, sizeof text, "%.3f", fmin(seconds, 1e15));
    dlpi_number_point(text);
    fputs(text, out);
}

/* The times of iterations before a resumption are not known: their fields are empty. */
static void print_trace(FILE *out, const void *what)
{
    const dlp_topic_model *m = what;
    fputs(
        "iteration,log_evidence_per_word,change,moved,evaluations,unsettled,seconds,"
        "bound_per_word\n", /* the second column again, under the name that scripts rely on */
        out);
    for (int i = 0; i < m->n_trace; i++) {
        const dlp_topic_model_row *row = &m->trace[i];
        fprintf(out, "%d,", row->iteration);
        print_number(out, row->objective_per_word);
        print_number(out, row->change);
        print_number(out, row->moved);
        fprintf(out, "%td,%td,", row->evaluations, row->unsettled);
        if (!isnan(row->seconds)) print_seconds(out, row->seconds);
        fputc(',', out);
        if (isfinite(row->objective_per_word))
            dlpi_number_put(out, 17, row->objective_per_word);
        fputc('\n', out);
    }
}

static dlp_status put_topics(const dlp_topic_model *m, const dlpi_folder_files *f)
{
    const dlp_topics *t = dlp_topic_model_fitted(m);
    DLP_TRY(
        dlpi_folder_put_numbers(f, "beta.npy", t->K, t->V, t->beta, m->words.on_disk));
    DLP_TRY(dlpi_folder_put_array(f, "mu.npy", t->K, 0, t->Gamma));
    if (m->terms) DLP_TRY(dlpi_folder_put_array(f, "gamma.npy", t->p, t->K, t->Gamma));
    return dlpi_folder_put_array(f, "sigma.npy", t->K, t->K, t->Sigma0);
}

static dlp_status put_files(const dlp_topic_model *m, const dlpi_folder_files *f)
{
    DLP_TRY(put_topics(m, f));
    const dlp_index K = dlp_topic_model_fitted(m)->K;
    DLP_TRY(dlpi_folder_put_numbers(f, "theta.npy", m->info.D, K,
                                    dlpi_topic_model_fitted_theta(m), m->means.on_disk));
    DLP_TRY(dlpi_folder_put_lines(f, "vocab.txt", m->vocab, m->topics.V));
    DLP_TRY(dlpi_folder_put_lines(f, "docs.txt", m->names, m->info.D));
    DLP_TRY(dlpi_topic_model_put_slices(m, f));
    DLP_TRY(dlpi_topic_model_put_content(m, f));
    if (!m->trace) return DLP_OK;
    return dlpi_folder_put_text(f, "trace.csv", print_trace, m, false);
}

/* A fit that has ended no longer needs its checkpoint, unless it may be continued; nor
   does a model that has taken in new documents. */
static dlp_status end_checkpoint(const dlp_topic_folder *folder, const dlp_topic_model *m,
                                 dlp_error *error)
{
    const dlp_outcome outcome = m->info.outcome;
    if (!json_object_get(m->json, "updates") &&
        (outcome == DLP_RUNNING || outcome == DLP_MAX_ITERATIONS ||
         outcome == DLP_CANCELLED))
        return DLP_OK;
    char *path = dlpi_folder_path(folder->path, "checkpoint", "");
    if (!path) return dlpi_folder_no_path(error);
    (void)unlink(path); /* which may not be there */
    free(path);
    return DLP_OK;
}

dlp_status dlp_topic_folder_save(dlp_topic_folder *folder, const dlp_topic_model *m,
                                 dlp_error *error)
{
    if (!m->theta || (m->named && !m->names) || (m->slices.T > 0 && !m->slices.slice))
        return dlp_fail(error, DLP_EINVAL,
                        "the model was loaded without its documents and cannot be saved "
                        "like that; load all of it");
    DLP_TRY(check_lines("term", m->vocab, m->topics.V, error));
    DLP_TRY(check_lines("document", m->names, m->info.D, error));
    dlpi_folder_files files = dlpi_folder_files_begin(folder->path, error);
    const dlp_status status =
        dlpi_folder_files_end(&files, put_files(m, &files), dlpi_json_copy(m->json));
    return status == DLP_OK ? end_checkpoint(folder, m, error) : status;
}

dlp_status dlp_topic_model_save(const dlp_topic_model *model, const char *path,
                                dlp_error *error)
{
    dlp_topic_folder *folder = NULL;
    DLP_TRY(dlp_topic_folder_open(path, &folder, error));
    const dlp_status status = dlp_topic_folder_save(folder, model, error);
    dlp_topic_folder_close(folder);
    return status;
}
