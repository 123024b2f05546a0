/* SPDX-License-Identifier: BSD-3-Clause */
/* How the topics depend on one covariate, for a report. */
#include "cli/report/page.h"
#include "io/json.h"

typedef struct row {
    dlp_index n;
    const double *x;
} row;

static json_t *share_at(const void *of, dlp_index i)
{
    return cli_page_rounded(((const double *)of)[i], 1e5);
}

static json_t *row_at(const void *of, dlp_index k)
{
    const row *r = of;
    return dlpi_json_list(r->n, share_at, r->x + k * r->n);
}

static json_t *count_at(const void *of, dlp_index i)
{
    return json_integer((json_int_t)((const dlp_index *)of)[i]);
}

static json_t *level_at(const void *of, dlp_index i)
{
    return dlpi_json_text(((const dlp_levels *)of)->level[i]);
}

static json_t *trend_json(const char *column, const dlp_levels *levels,
                          const dlp_topic_trend *t)
{
    const row mean = {t->n, t->mean}, se = {t->n, t->se};
    return json_pack("{s:o, s:I, s:o, s:o, s:o, s:o, s:o}", "variable",
                     dlpi_json_text(column), "dropped", (json_int_t)t->dropped, "level",
                     levels ? dlpi_json_list(t->n, level_at, levels) : json_null(), "x",
                     t->x ? cli_page_reals(t->n, t->x) : json_null(), "count",
                     dlpi_json_list(t->n, count_at, t->count), "mean",
                     dlpi_json_list(t->K, row_at, &mean), "se",
                     dlpi_json_list(t->K, row_at, &se));
}

static dlp_status make_trend(const dlp_topic_model *model, const char *column,
                             const dlp_document_covariates *c, json_t **json,
                             dlp_error *error)
{
    const dlp_terms *terms = c->design->terms;
    dlp_topic_trend trend;
    const dlp_index K = dlp_topic_model_topics(model)->K;
    const dlp_status status =
        dlp_topic_trend_find(K, dlp_topic_model_theta(model), c, &trend, error);
    if (status != DLP_OK) return status;
    *json = trend_json(column, terms->n_factors > 0 ? &terms->factor[0] : NULL, &trend);
    dlp_topic_trend_free(&trend);
    if (*json) return DLP_OK;
    return dlp_fail(error, DLP_ENOMEM, "not enough memory for the trends");
}

dlp_status cli_page_trend(const dlp_topic_model *model, const cli_trend_source *source,
                          json_t **trend, dlp_error *error)
{
    cli_covariates covariates = {0};
    dlp_status status = cli_trend_column(model, source, &covariates, error);
    if (status == DLP_OK)
        status = make_trend(model, source->column, &covariates.found, trend, error);
    cli_covariates_clear(&covariates);
    return status;
}
