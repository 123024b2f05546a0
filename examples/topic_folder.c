/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A topic model that lives in a folder, with covariates of its documents:
 *
 *   topic_folder CORPUS TABLE FORMULA K FOLDER
 *
 * fits K topics and saves them, or continues an earlier fit that was stopped (by Ctrl-C)
 * or killed; then reads the folder back and infers the proportions of the same documents as
 * if they were new. The folder is like that of `delaplace topics fit`.
 */
#include <delaplace.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static volatile sig_atomic_t stopped;

static void stop(int number)
{
    (void)number;
    stopped = 1;
}

static int is_stopped(void *context, const dlp_progress *progress)
{
    (void)context;
    if (!progress->polled && progress->iteration == 1)
        printf("%s, iteration 1\n", progress->phase);
    return stopped;
}

typedef struct data {
    dlp_table *table;
    dlp_corpus *corpus;
    dlp_document_covariates covariates;
} data;

/* Documents that miss a covariate are left out of the corpus. */
static dlp_status read_data(char **arguments, data *d, dlp_error *error)
{
    dlp_document_covariates *const covariates[] = {&d->covariates};
    dlp_index dropped = 0;
    dlp_status status = dlp_corpus_open(arguments[0], NULL, &d->corpus, error);
    if (status == DLP_OK) status = dlp_table_read(arguments[1], NULL, &d->table, error);
    if (status == DLP_OK)
        status = dlp_covariates_build(d->table, arguments[2], d->corpus, NULL,
                                      &d->covariates, error);
    if (status == DLP_OK)
        status = dlp_covariates_drop(1, covariates, &d->corpus, &dropped, error);
    if (status == DLP_OK)
        printf("%td documents, %td left out, %td covariates\n", d->corpus->D, dropped,
               d->covariates.p);
    return status;
}

static dlp_status fit(const data *d, dlp_index K, const char *path, dlp_error *error)
{
    dlp_topics_settings settings = dlp_topics_settings_default();
    dlp_checkpoint_settings checkpoint = dlp_checkpoint_settings_default();
    dlp_topic_folder *folder = NULL;
    dlp_topic_model *model = NULL;
    settings.K = K;
    settings.progress = is_stopped;
    checkpoint.resume = 1; /* from a checkpoint, where there is one */
    dlp_status status = dlp_topic_folder_open(path, &folder, error);
    if (status == DLP_OK)
        status = dlp_topic_folder_fit(folder, d->corpus, &d->covariates, &settings,
                                      &checkpoint, &model, error);
    if (status == DLP_OK) {
        const dlp_topic_model_info *info = dlp_topic_model_get_info(model);
        printf("%s, %.4f per word\n", dlp_outcome_name(info->outcome),
               info->objective_per_word);
        if (info->outcome != DLP_CANCELLED)
            status = dlp_topic_folder_save(folder, model, error);
    }
    dlp_topic_model_free(model);
    dlp_topic_folder_close(folder);
    return status;
}

/* What another program would do, later: the corpus in the model's terms, the covariates in
   its columns. */
static dlp_status infer(data *d, const dlp_topic_model *model, dlp_error *error)
{
    const dlp_index K = dlp_topic_model_topics(model)->K;
    double *pi = calloc((size_t)(d->corpus->D * K), sizeof *pi);
    dlp_document_covariates covariates = {0};
    dlp_inference_result found;
    dlp_index unseen = 0;
    if (!pi) return dlp_fail(error, DLP_ENOMEM, "not enough memory");
    dlp_status status = dlp_topic_model_align(model, d->corpus, &unseen, error);
    if (status == DLP_OK)
        status = dlp_topic_model_covariates(model, d->table, d->corpus, NULL, &covariates,
                                            error);
    if (status == DLP_OK)
        status = dlp_topic_model_infer(model, d->corpus, &covariates, NULL, pi, NULL,
                                       &found, error);
    if (status == DLP_OK)
        printf("%td documents, %td words, %td unseen: the first has %.4f of topic 1\n",
               found.documents, found.words, unseen, pi[0]);
    dlp_document_covariates_free(&covariates);
    free(pi);
    return status;
}

int main(int argc, char **argv)
{
    data d = {0};
    dlp_topic_model *model = NULL;
    dlp_error error = {0};
    if (argc != 6) {
        fprintf(stderr, "usage: topic_folder CORPUS TABLE FORMULA K FOLDER\n");
        return 2;
    }
    signal(SIGINT, stop);
    dlp_status status = read_data(argv + 1, &d, &error);
    if (status == DLP_OK) status = fit(&d, strtol(argv[4], NULL, 10), argv[5], &error);
    if (status == DLP_OK && !stopped) {
        status = dlp_topic_model_load(argv[5], 0, &model, &error);
        if (status == DLP_OK) status = infer(&d, model, &error);
    }
    dlp_topic_model_free(model);
    dlp_document_covariates_free(&d.covariates);
    dlp_corpus_free(d.corpus);
    dlp_table_free(d.table);
    if (status == DLP_OK) return 0;
    fprintf(stderr, "topic_folder: %s\n", error.message);
    return 1;
}
