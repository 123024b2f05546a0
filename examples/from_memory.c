/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Data that are in memory already: a regression of columns, and topics of a sparse matrix
 * of counts. No file is read or written.
 */
#include <delaplace.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- columns ---- */

enum { ROWS = 8 };
static const double dose[ROWS] = {0.1, 0.2, 0.4, 0.8, 0.1, 0.2, NAN, 0.8};
static const char *const kind[ROWS] = {"old", "old", "old", "old",
                                       "new", "new", "new", "new"};
static const int32_t died[ROWS] = {0, 0, 1, 1, 0, 1, 1, 1}; /* codes, into: */
static const char *const outcome[] = {"no", "yes"};

static dlp_status regress(dlp_error *error)
{
    const dlp_column_data column[] = {
        {.name = "dose", .number = dose}, /* borrowed: not copied */
        {.name = "kind", .text = kind},
        {.name = "died", .code = died, .n_levels = 2, .level = outcome}};
    dlp_regression_settings settings = dlp_regression_settings_default();
    dlp_table *table = NULL;
    dlp_regression *fit = NULL;
    dlp_parameter parameter[3]; /* the intercept, log(dose), kind */
    settings.family = "bernoulli";
    dlp_status status = dlp_table_from_columns(ROWS, 3, column, &table, error);
    if (status == DLP_OK)
        status =
            dlp_regression_fit("died ~ log(dose) + kind", table, &settings, &fit, error);
    dlp_table_free(table); /* the fit no longer needs it */
    if (status == DLP_OK) status = dlp_regression_parameters(fit, 0, parameter, error);
    if (status == DLP_OK) {
        const dlp_regression_result *r = dlp_regression_result_of(fit);
        printf("%td rows, %td left out: %s\n", r->rows, r->dropped,
               dlp_outcome_name(r->outcome));
        for (dlp_index i = 0; i < r->n; i++)
            printf("  %s %.4f (sd %.4f)\n", parameter[i].term, parameter[i].mean,
                   parameter[i].sd);
    }
    dlp_regression_free(fit);
    return status;
}

/* ---- counts ---- */

enum { D = 6, V = 4, K = 2 };
static const char *const vocab[V] = {"ship", "sea", "bread", "oven"};
static const char *const name[D] = {"a", "b", "c", "d", "e", "f"};
/* Document d has the pairs row[d]..row[d+1]-1, as in scipy.sparse.csr_matrix. */
static const dlp_index row[D + 1] = {0, 2, 4, 6, 8, 10, 13};
static const int32_t term[] = {0, 1, 0, 1, 1, 0, 2, 3, 3, 2, 1, 2, 3};
static const int32_t count[] = {5, 7, 3, 6, 8, 4, 6, 5, 7, 4, 4, 3, 4};

static void print_shares(const dlp_topic_model *model, const double *pi)
{
    char *const *names = dlp_topic_model_names(model);
    for (dlp_index d = 0; d < D; d++)
        printf("  %s %.2f %.2f\n", names[d], pi[d * K], pi[d * K + 1]);
}

static dlp_status find_topics(dlp_error *error)
{
    dlp_topics_settings settings = dlp_topics_settings_default();
    dlp_corpus *corpus = NULL;
    dlp_topic_model *model = NULL;
    double pi[D * K];
    settings.K = K;
    dlp_status status =
        dlp_corpus_from_csr(D, V, row, term, count, vocab, name, &corpus, error);
    if (status == DLP_OK)
        status = dlp_topic_model_fit(corpus, NULL, &settings, &model, error);
    if (status == DLP_OK)
        status = dlp_topic_model_infer(model, corpus, NULL, NULL, pi, NULL, NULL, error);
    if (status == DLP_OK) {
        printf("topics: %s\n",
               dlp_outcome_name(dlp_topic_model_get_info(model)->outcome));
        print_shares(model, pi);
    }
    dlp_topic_model_free(model);
    dlp_corpus_free(corpus);
    return status;
}

int main(void)
{
    dlp_error error = {0};
    dlp_status status = regress(&error);
    if (status == DLP_OK) status = find_topics(&error);
    if (status == DLP_OK) return 0;
    fprintf(stderr, "from_memory: %s\n", error.message);
    return 1;
}
