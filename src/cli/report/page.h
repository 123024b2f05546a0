/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The content of a report, as the JSON that its page reads (web/src). Numbers are rounded
 * to what a picture can show: the page of 60 topics over 10,000 terms stays below 1 MB.
 */
#ifndef DLP_CLI_REPORT_PAGE_H
#define DLP_CLI_REPORT_PAGE_H

#include "cli/topics/covariates.h"
#include "cli/topics/graph.h"

/* Fails for want of memory for the report. */
dlp_status cli_page_no_memory(dlp_error *error);

/* Lists; NULL when out of memory. */
json_t *cli_page_reals(dlp_index n, const double *x);
/* x times scale, rounded to a whole number: short, and as precise as the scale allows. */
json_t *cli_page_rounded(double x, double scale);

/* page_documents.c. The texts of a model's documents, from the corpus at path, which has
   them beside it. */
typedef struct cli_page_documents cli_page_documents;
dlp_status cli_page_documents_open(const char *path, const dlp_topic_model *model,
                                   cli_page_documents **texts, dlp_error *error);
void cli_page_documents_free(cli_page_documents *texts); /* NULL is fine */
/* The beginning of document d of the model, as a list: text, term, word, text, term,
   word, ..., text, and a final null if the document goes on. JSON null if the document or
   all texts are missing. term makes the reference to a term. NULL when out of memory. */
typedef json_t *cli_page_term(const void *of, dlp_index v);
json_t *cli_page_text(cli_page_documents *texts, dlp_index d, cli_page_term *term,
                      const void *of);

/* page_topics.c. A model and everything in its folder, into *root. trend is an object of
   page_trend.c, which this call takes over. trend, texts and X, the model's own
   covariates, may each be NULL. */
dlp_status cli_page_topics(const char *path, const dlp_topic_model *model,
                           const dlp_document_covariates *X, cli_page_documents *texts,
                           json_t *trend, json_t **root, dlp_error *error);

/* page_pairs.c. For every pair of topics i < j, row by row, its correlation and the
   bounds of an interval of about 95 %, in thousandths. NULL when out of memory. */
json_t *cli_page_pairs(const cli_topics_graph *graph);

/* The column of a table that is the x axis of a trend. */
typedef struct cli_trend_source {
    const char *path; /* of the table */
    const char *column;
    const char *document; /* of the documents' names; NULL: find it */
    const char *missing;  /* one of cli_table_missing, for documents without a value */
    const dlp_index *row; /* (D) the table's row of each document; NULL: find it */
} cli_trend_source;

/* page_trend_column.c. The column for the documents of a model, after an intercept. The
   caller clears covariates whatever is returned. */
dlp_status cli_trend_column(const dlp_topic_model *model, const cli_trend_source *source,
                            cli_covariates *covariates, dlp_error *error);

/* For topics that drift: their words in each slice, null for other models (page_time.c);
   and their shares over the slices, in the format of cli_page_trend. */
dlp_status cli_page_time(const dlp_topic_model *model, json_t **time, dlp_error *error);
dlp_status cli_page_time_trend(const dlp_topic_model *model, json_t **trend,
                               dlp_error *error);

/* page_content.c. Words by group; null if the words do not differ by group. */
dlp_status cli_page_content(const dlp_topic_model *model, json_t **content,
                            dlp_error *error);

/* page_effects.c. Curves of K topics, from n files of 'topics effects --of COLUMN --json'. */
dlp_status cli_page_effects(int n, const char *const *path, dlp_index K, json_t **effects,
                            dlp_error *error);

/* page_trend.c. The mean share of each topic over the column's values; "dropped" counts
   the documents without a value. */
dlp_status cli_page_trend(const dlp_topic_model *model, const cli_trend_source *source,
                          json_t **trend, dlp_error *error);

/* page_glm.c. A regression. prediction, for its rows, may be NULL; so may calibration and
   look (see below), which this call takes over. NULL when out of memory. */
json_t *cli_page_glm(const dlp_regression *regression, const dlp_prediction *prediction,
                     json_t *calibration, json_t *look);

/* page_random.c. The random effects of a mixed model; null for other models. NULL when
   out of memory. */
json_t *cli_page_random(const dlp_regression_result *fit);

/* page_smooths.c. The smooth terms of a regression, with points for the rows unless
   prediction is NULL. NULL when out of memory. */
json_t *cli_page_smooths(const dlp_regression *regression,
                         const dlp_prediction *prediction);

/* page_look.c. Effects of columns, residuals and predictive checks for the rows of a
   table; null where these are not available for the fit. NULL when out of memory. */
json_t *cli_page_look(const dlp_regression *fit, const dlp_table *table);

/* page_calibration.c. Fitted against observed responses. NULL when out of memory. */
json_t *cli_page_calibration(const dlp_calibration *calibration);

#endif
