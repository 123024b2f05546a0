/* SPDX-License-Identifier: BSD-3-Clause */
/* A topic model out of its folder. Nothing of it is believed before it is checked. */
#include "core/core.h"
#include "io/json.h"
#include "table/design/terms_json.h"
#include "topics/ctm/ctm.h"
#include "topics/model/folder.h"
#include "topics/model/model.h"

#include <delaplace/npy.h>

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

/* What is being read, and for messages from where. */
typedef struct loading {
    const char *path;
    json_t *info; /* model.json, with the list of files */
    dlp_topic_model *model;
    dlp_error *error;
} loading;

/* ---- model.json ---- */

static dlp_status wrong(const loading *r, const char *key, const char *expected)
{
    return dlp_fail(r->error, DLP_EINPUT,
                    "%s: model.json: \"%s\" must be %s; the file is damaged or edited, "
                    "fit again",
                    r->path, key, expected);
}

static dlp_status check_format(const loading *r)
{
    const json_t *info = r->info;
    const char *format = json_string_value(json_object_get(info, "format"));
    const json_t *version = json_object_get(info, "version");
    if (!format || strcmp(format, DLPI_TOPICS_FORMAT) != 0)
        return dlpi_advise(
            r->error, DLP_REMEDY_FIT_TOPICS,
            dlp_fail(r->error, DLP_EINPUT,
                     "%s: model.json has no \"format\": \"" DLPI_TOPICS_FORMAT
                     "\"; name a folder that a fit of topics has made",
                     r->path));
    if (json_is_integer(version) && json_integer_value(version) == DLPI_TOPICS_VERSION)
        return DLP_OK;
    return dlp_fail(r->error, DLP_EINPUT,
                    "%s: this program reads version %d of the format; fit again with it, "
                    "or use the program that made the model",
                    r->path, DLPI_TOPICS_VERSION);
}

static dlp_status read_size(const loading *r, const char *key, dlp_index *size)
{
    const json_t *value = json_object_get(r->info, key);
    const json_int_t n = json_integer_value(value);
    if (!json_is_integer(value) || n < 1 || n > INT32_MAX)
        return wrong(r, key, "a whole number, 1 or more");
    *size = (dlp_index)n;
    return DLP_OK;
}

static dlp_status read_method(const loading *r)
{
    dlp_topic_model *m = r->model;
    const char *text = json_string_value(json_object_get(r->info, "method"));
    const json_t *settings = json_object_get(r->info, "settings");
    const char *route = json_string_value(json_object_get(settings, "route"));
    m->document = dlp_document_settings_default();
    m->document.plain = route && !strcmp(route, "plain");
    m->method = dlpi_ctm_method_find(text);
    if (!m->method) return wrong(r, "method", "one that this program knows");
    m->document.method = m->method->name;
    return DLP_OK;
}

static dlp_status read_covariates(const loading *r)
{
    dlp_topic_model *m = r->model;
    const json_t *covariates = json_object_get(r->info, "covariates");
    dlpi_read_columns columns;
    m->topics.p = 1;
    if (!covariates || json_is_null(covariates)) return DLP_OK;
    DLP_TRY(dlpi_terms_parse(r->path, covariates, &columns, r->error));
    m->terms = columns.terms;
    m->column = columns.column;
    m->topics.p = columns.p;
    return columns.p >= 1 ? DLP_OK : wrong(r, "columns", "a list with an intercept");
}

/* ---- the other files ---- */

static dlp_status read_array(const loading *r, const char *name, dlp_index rows,
                             dlp_index columns, double **x)
{
    return dlpi_folder_read_array(r->path, r->info, name, rows, columns, x, r->error);
}

static bool lists(const loading *r, const char *name)
{
    return json_object_get(json_object_get(r->info, "files"), name) != NULL;
}

static dlp_status read_vocab(const loading *r)
{
    dlp_topic_model *m = r->model;
    dlp_corpus corpus = {.V = m->topics.V};
    if (!lists(r, "vocab.txt")) return DLP_OK;
    char *path;
    DLP_TRY(dlpi_folder_find(r->path, r->info, "vocab.txt", &path, r->error));
    const dlp_status status = dlp_corpus_read_vocab(&corpus, path, r->error);
    free(path);
    if (status != DLP_OK) return status;
    m->vocab = corpus.vocab;
    return corpus.V == m->topics.V ? DLP_OK
                                   : wrong(r, "V", "the number of lines of vocab.txt");
}

static dlp_status read_docs(const loading *r)
{
    return dlpi_folder_read_lines(r->path, r->info, "docs.txt", r->model->info.D,
                                  &r->model->names, r->error);
}

static dlp_status read_topics(const loading *r)
{
    dlp_topics *t = &r->model->topics;
    DLP_TRY(read_array(r, "beta.npy", t->K, t->V, &t->beta));
    if (r->model->terms)
        DLP_TRY(read_array(r, "gamma.npy", t->p, t->K, &t->Gamma));
    else
        DLP_TRY(read_array(r, "mu.npy", t->K, 0, &t->Gamma));
    DLP_TRY(read_array(r, "sigma.npy", t->K, t->K, &t->Sigma0));
    return dlp_topics_check(t, r->error);
}

/* trace.csv is not part of the model and has no checksum: if it is missing or changed,
   the model is loaded without it. */
static const double *column_of(const dlp_table *table, const char *name)
{
    const dlp_index j = dlp_table_find(table, name);
    return j >= 0 && table->column[j].kind == DLP_NUMERIC ? table->column[j].number
                                                          : NULL;
}

static double number_at(const double *column, dlp_index i)
{
    return column ? column[i] : NAN;
}

static dlp_index whole_at(const double *column, dlp_index i)
{
    const double x = number_at(column, i);
    return x >= 0 && x <= 1e15 ? (dlp_index)x : 0;
}

static dlp_status take_trace(const dlp_table *table, dlp_topic_model *m, dlp_error *error)
{
    const double *objective = column_of(table, "log_evidence_per_word"),
                 *change = column_of(table, "change"), *moved = column_of(table, "moved"),
                 *evaluations = column_of(table, "evaluations"),
                 *unsettled = column_of(table, "unsettled"),
                 *seconds = column_of(table, "seconds");
    if (!objective || table->rows > INT32_MAX) return DLP_OK;
    m->trace = dlpi_calloc(table->rows, sizeof *m->trace);
    if (!m->trace) return dlpi_no_memory(error, "the trace");
    m->n_trace = (int)table->rows;
    for (int i = 0; i < m->n_trace; i++)
        m->trace[i] = (dlp_topic_model_row){.iteration = i + 1,
                                            .objective_per_word = objective[i],
                                            .change = number_at(change, i),
                                            .moved = number_at(moved, i),
                                            .evaluations = whole_at(evaluations, i),
                                            .unsettled = whole_at(unsettled, i),
                                            .seconds = number_at(seconds, i)};
    return DLP_OK;
}

static dlp_status read_trace(const loading *r)
{
    dlp_table *table = NULL;
    char *file = dlpi_folder_path(r->path, "trace.csv", "");
    if (!file) return dlpi_folder_no_path(r->error);
    dlp_status status = dlp_table_read(file, NULL, &table, r->error);
    free(file);
    if (status == DLP_EINPUT) return DLP_OK;
    if (status != DLP_OK) return status;
    status = take_trace(table, r->model, r->error);
    dlp_table_free(table);
    return status;
}

/* ---- the whole ---- */

static dlp_status read_parts(const loading *r, unsigned parts)
{
    dlp_topic_model *m = r->model;
    m->named = lists(r, "docs.txt");
    if (parts & DLP_LOAD_NAMES && m->named) DLP_TRY(read_docs(r));
    if (parts & DLP_LOAD_THETA)
        DLP_TRY(read_array(r, "theta.npy", m->info.D, m->topics.K, &m->theta));
    return parts & DLP_LOAD_TRACE ? read_trace(r) : DLP_OK;
}

static dlp_status read_model(const loading *r, unsigned parts)
{
    dlp_topic_model *m = r->model;
    DLP_TRY(check_format(r));
    DLP_TRY(read_size(r, "K", &m->topics.K));
    DLP_TRY(read_size(r, "V", &m->topics.V));
    DLP_TRY(read_size(r, "D", &m->info.D));
    DLP_TRY(read_method(r));
    DLP_TRY(read_covariates(r));
    DLP_TRY(read_topics(r));
    DLP_TRY(read_vocab(r));
    DLP_TRY(read_parts(r, parts));
    DLP_TRY(dlpi_topic_model_read_slices(m, r->path, r->info, parts & DLP_LOAD_SLICES,
                                         r->error));
    DLP_TRY(dlpi_topic_model_read_content(m, r->path, r->info, r->error));
    DLP_TRY(dlpi_topic_model_read_merge(m, r->info, r->error));
    DLP_TRY(dlpi_topic_model_read_labels(m, r->info, r->error));
    json_t *json = dlpi_json_copy(r->info);
    if (json) (void)json_object_del(json, "files"); /* which may not be there */
    return dlpi_topic_model_take_json(m, json, r->error);
}

static dlp_status fail_no_folder(const char *path, const char *what, dlp_error *error)
{
    return dlpi_advise(error, DLP_REMEDY_FIT_TOPICS,
                       dlp_fail(error, DLP_EINPUT,
                                "%s: %s; a topic model is a folder, which a fit makes",
                                path, what));
}

/* Refuses what cannot be a model, before complaining about its files one by one. */
static dlp_status check_folder(const char *path, dlp_error *error)
{
    struct stat st;
    if (!strcmp(path, "-"))
        return fail_no_folder("standard input", "is not a folder", error);
    if (stat(path, &st) != 0) {
        char what[128];
        snprintf(what, sizeof what, "cannot read: %s", strerror(errno));
        return fail_no_folder(path, what, error);
    }
    if (!S_ISDIR(st.st_mode)) return fail_no_folder(path, "is a file", error);
    if (dlpi_folder_has(path, "model.json")) return DLP_OK;
    if (dlpi_folder_has(path, "checkpoint"))
        return dlpi_advise(error, DLP_REMEDY_RESUME,
                           dlp_fail(error, DLP_EINPUT,
                                    "%s: the fit has not finished; wait for it, or "
                                    "continue it",
                                    path));
    return fail_no_folder(path, "has no model.json", error);
}

dlp_status dlp_topic_model_load(const char *path, unsigned parts, dlp_topic_model **model,
                                dlp_error *error)
{
    *model = NULL;
    if (!path)
        return dlp_fail(error, DLP_EINVAL, "a model is loaded from a path: it is NULL");
    DLP_TRY(check_folder(path, error));
    loading r = {.path = path, .error = error};
    DLP_TRY(dlpi_folder_read_info(path, &r.info, error));
    r.model = dlpi_calloc(1, sizeof *r.model);
    const dlp_status status =
        r.model ? read_model(&r, parts) : dlpi_no_memory(error, "the topic model");
    json_decref(r.info);
    if (status != DLP_OK) {
        dlp_topic_model_free(r.model);
        return status;
    }
    *model = r.model;
    return DLP_OK;
}
