/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A topic model with all that belongs to it: the topics, the words and documents they
 * were found in, what the fit was asked for and how it ended, and the folder that keeps
 * it.
 *
 *     dlp_topics_settings settings = dlp_topics_settings_default();
 *     settings.K = 20;
 *     dlp_topic_model *model = NULL;
 *     dlp_status status = dlp_topic_model_fit(corpus, NULL, &settings, &model, &error);
 *     if (status == DLP_OK) status = dlp_topic_model_save(model, "model", &error);
 *     if (status == DLP_OK)
 *         status = dlp_topic_model_infer(model, new, NULL, NULL, pi, sd, NULL, &error);
 *     dlp_topic_model_free(model);
 */
#ifndef DELAPLACE_TOPIC_MODEL_H
#define DELAPLACE_TOPIC_MODEL_H

#include <delaplace/covariates.h>
#include <delaplace/effects.h>
#include <delaplace/topic_inference.h>
#include <delaplace/topic_words.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dlp_topic_model dlp_topic_model;

DLP_API void dlp_topic_model_free(dlp_topic_model *model); /* NULL is fine */

/* ---- fitting ---- */

/*
 * EM to its end. covariates, by dlp_covariates_build, NULL: none; documents without a
 * value are to be dropped first. settings may not be NULL: it has K. Corpus, covariates
 * and settings are not needed afterwards. How EM ended is in the model's info; cancelled
 * before the first iteration there is no model, and the status is DLP_ECANCELLED.
 */
DLP_API dlp_status dlp_topic_model_fit(const dlp_corpus *corpus,
                                       const dlp_document_covariates *covariates,
                                       const dlp_topics_settings *settings,
                                       dlp_topic_model **model, dlp_error *error);

/* The topics of a model as a start for a fit of another corpus, settings.start: over the
   corpus' terms, matched by their names, with the coefficients of its covariates where the
   new ones are the same, else with the intercepts. To be freed by dlp_topics_free. */
DLP_API dlp_status dlp_topic_model_start(const dlp_topic_model *model,
                                         const dlp_corpus *corpus,
                                         const dlp_document_covariates *covariates,
                                         dlp_topics *topics, dlp_error *error);

/* Topics that were not fitted but drawn (simulate.h), with the documents' own theta (D, K)
   and the corpus they made; concentration NaN: the topics were given. Copies all. */
DLP_API dlp_status dlp_topic_model_simulated(const dlp_topics *topics,
                                             const dlp_corpus *corpus,
                                             const double *theta, uint64_t seed,
                                             double concentration,
                                             dlp_topic_model **model, dlp_error *error);

/* ---- what it is; all valid until the model is freed ---- */

typedef struct dlp_topic_model_info {
    dlp_index K, V, D, p; /* topics, terms, documents, covariates (1: the intercept) */
    dlp_index words;      /* of the documents */
    dlp_index dropped;    /* documents that missed a covariate, and are not among D */
    const char *method;
    int plain;        /* non-zero: Figure 1 exactly */
    const char *init; /* "spectral", "random", "simulated", or the name of a start */
    uint64_t seed;
    dlp_outcome outcome; /* DLP_RUNNING: it was not fitted */
    int iterations, max_iter;
    double objective, objective_per_word; /* NaN: not fitted */
    int decreases;                        /* iterations where the objective became less */
    dlp_index unsettled; /* documents that did not converge at the last E step */
    double seconds; /* that the fit took, in this run; NaN of a model from a folder */
    int divided; /* processes that each held a part of the topics in this run; 0: all held
                       all of them */
} dlp_topic_model_info;

/* An iteration of the fit. */
typedef struct dlp_topic_model_row {
    int iteration;
    double objective_per_word, change, moved; /* as in dlp_topics_row */
    dlp_index evaluations, unsettled;
    double seconds; /* from the start of the fit; NaN: in an earlier run, not known */
} dlp_topic_model_row;

DLP_API const dlp_topic_model_info *
dlp_topic_model_get_info(const dlp_topic_model *model);
/* beta, Gamma, Sigma_0 */
DLP_API const dlp_topics *dlp_topic_model_topics(const dlp_topic_model *model);
/* (D, K) means of theta; NULL: not loaded */
DLP_API const double *dlp_topic_model_theta(const dlp_topic_model *model);
/* How mixed its documents are under the topics of the fit, whether or not some are merged, and
   whether its correlations are to be doubted for it. Zero: not known, since theta is not loaded.
   A model that was not fitted, or whose prior is a Dirichlet, which favours few topics a
   document and has no correlations, is not doubted. */
DLP_API int dlp_topic_model_mixing(const dlp_topic_model *model,
                                   dlp_topic_mixing *mixing);
/* (V) terms; NULL: not known */
DLP_API char *const *dlp_topic_model_vocab(const dlp_topic_model *model);
/* (D) documents; NULL: not known, or not loaded */
DLP_API char *const *dlp_topic_model_names(const dlp_topic_model *model);
/* The documents of the fit as a corpus without words, for dlp_document_rows_find and
   dlp_covariates_build: D and name, which are the model's. */
DLP_API dlp_corpus dlp_topic_model_documents(const dlp_topic_model *model);
/* How a table becomes covariates, and (p) their names; NULL: the model has none. */
DLP_API const dlp_terms *dlp_topic_model_terms(const dlp_topic_model *model);
DLP_API char *const *dlp_topic_model_columns(const dlp_topic_model *model);
/* (n) the iterations; NULL and 0: not fitted, not loaded, or lost */
DLP_API const dlp_topic_model_row *dlp_topic_model_trace(const dlp_topic_model *model,
                                                         int *n);
/* How the model infers new documents: by the method and route of the fit. */
DLP_API const dlp_document_settings *
dlp_topic_model_document_settings(const dlp_topic_model *model);
/* model.json as it is, or will be, in the folder, but for the list of files. */
DLP_API const char *dlp_topic_model_json(const dlp_topic_model *model);

/* ---- new documents ---- */

/* Gives a corpus the model's numbers of terms, by their names; where one of the two has no
   names, terms are their numbers. Words of other terms are left out and counted into
   *unseen (NULL: not wanted). The corpus has no vocabulary afterwards. What follows takes
   corpora in the model's terms. */
DLP_API dlp_status dlp_topic_model_align(const dlp_topic_model *model, dlp_corpus *corpus,
                                         dlp_index *unseen, dlp_error *error);
/* The reverse: gives a corpus whose terms are numbered as the model's their names, where
   the model has them. */
DLP_API dlp_status dlp_topic_model_name_terms(const dlp_topic_model *model,
                                              dlp_corpus *corpus, dlp_error *error);
/* The covariates of documents as the model has them. Fails for a model without
   covariates. */
DLP_API dlp_status dlp_topic_model_covariates(const dlp_topic_model *model,
                                              const dlp_table *table,
                                              const dlp_corpus *corpus,
                                              const dlp_covariate_settings *settings,
                                              dlp_document_covariates *covariates,
                                              dlp_error *error);
/* Those of the documents of the fit, from its table. Where a table in their order has as
   many more rows as the fit left out for missing values, those are passed over. The model
   was loaded with names. */
DLP_API dlp_status dlp_topic_model_own_covariates(const dlp_topic_model *model,
                                                  const dlp_table *table,
                                                  const dlp_covariate_settings *settings,
                                                  dlp_document_covariates *covariates,
                                                  dlp_error *error);
/* Whether a table whose rows were found so is that longer table. */
DLP_API int dlp_topic_model_passes_rows(const dlp_topic_model *model,
                                        const dlp_table *table,
                                        const dlp_document_rows *rows);

/* The topic proportions of all documents of a corpus, into pi (D, K) and where it is not
   NULL sd (D, K): dlp_inference_run with the model's document settings. */
DLP_API dlp_status dlp_topic_model_infer(const dlp_topic_model *model,
                                         const dlp_corpus *corpus,
                                         const dlp_document_covariates *covariates,
                                         const dlp_inference_settings *settings,
                                         double *pi, double *sd,
                                         dlp_inference_result *result, dlp_error *error);
/* Held-out likelihood: dlp_topics_completion, with the model's document settings. */
DLP_API dlp_status dlp_topic_model_evaluate(const dlp_topic_model *model,
                                            const dlp_corpus *corpus,
                                            const dlp_document_covariates *covariates,
                                            const dlp_completion_settings *settings,
                                            dlp_completion *completion, dlp_error *error);
/* The effects of X on the topics of documents: dlp_topics_effects, with intervals that are wider for
   the topics being estimated (`splits` of the settings). `prior` are the model's own covariates of
   these documents, NULL where it has none. */
DLP_API dlp_status dlp_topic_model_effects(const dlp_topic_model *model,
                                           const dlp_corpus *corpus,
                                           const dlp_document_covariates *prior,
                                           const dlp_document_covariates *X,
                                           const dlp_effects_settings *settings,
                                           dlp_effects *effects, dlp_error *error);

/* ---- the folder ---- */

/*
 * A model is a folder (docs/topics.md): model.json with checksums of the others,
 * beta.npy, mu.npy, gamma.npy with covariates, sigma.npy, theta.npy, vocab.txt and
 * docs.txt where names are known, trace.csv, and `checkpoint` while a fit runs or where
 * one ended before convergence. A program that loads it finds one whole model, even if
 * the program that wrote it was killed.
 */

/* What of a folder is large and not always needed. */
enum {
    DLP_LOAD_THETA = 1,  /* the documents' means */
    DLP_LOAD_NAMES = 2,  /* their names */
    DLP_LOAD_TRACE = 4,  /* the iterations; none where trace.csv is gone or changed */
    DLP_LOAD_SLICES = 8, /* topics of slices, where they drift */
    DLP_LOAD_ALL = 15
};

/* Whether the file at path is one of those that a model's folder consists of. */
DLP_API int dlp_topic_model_has_file(const char *folder, const char *path);

/* Reads and checks the folder; parts: DLP_LOAD_... of which to read, too. The error says
   which file is wrong and what to do. */
DLP_API dlp_status dlp_topic_model_load(const char *path, unsigned parts,
                                        dlp_topic_model **model, dlp_error *error);
/* Opens the folder, writes the model, and closes it. A model that was loaded without its
   theta or the names of its documents cannot be saved. */
DLP_API dlp_status dlp_topic_model_save(const dlp_topic_model *model, const char *path,
                                        dlp_error *error);

/* A folder that this process alone writes to. */
typedef struct dlp_topic_folder dlp_topic_folder;

/* Makes the folder where it is not there. One that holds other things than a model is
   refused, and one that another process writes to. Finishes what an earlier save left to
   rename, and removes what it left half done. */
DLP_API dlp_status dlp_topic_folder_open(const char *path, dlp_topic_folder **folder,
                                         dlp_error *error);
/* Removes a folder that it made for nothing; NULL is fine. */
DLP_API void dlp_topic_folder_close(dlp_topic_folder *folder);
DLP_API int dlp_topic_folder_has_checkpoint(const dlp_topic_folder *folder);
/* Writes the model, replacing an existing one, completely or not at all. */
DLP_API dlp_status dlp_topic_folder_save(dlp_topic_folder *folder,
                                         const dlp_topic_model *model, dlp_error *error);

/* Whether names can be written one a line, as the folder needs them; to be checked before
   long work. */
DLP_API dlp_status dlp_topic_folder_check_names(const dlp_corpus *corpus,
                                                dlp_error *error);

typedef struct dlp_checkpoint_settings {
    size_t size;  /* set by dlp_checkpoint_settings_default */
    double every; /* seconds between two, in at most a tenth of the time; 0: after every
                     iteration; default 2 */
    int resume;   /* go on from the folder's checkpoint, where it has one; default 0 */
    /* Called the first time that a checkpoint could not be written: the fit goes on, as
       there may be room again when it ends. Default NULL. */
    void (*failed)(void *context, const dlp_error *error);
    void *context; /* of failed */
} dlp_checkpoint_settings;

DLP_API void dlp_checkpoint_settings_init(dlp_checkpoint_settings *settings, size_t size);
static inline dlp_checkpoint_settings dlp_checkpoint_settings_default(void)
{
    dlp_checkpoint_settings settings;
    dlp_checkpoint_settings_init(&settings, sizeof settings);
    return settings;
}

/*
 * dlp_topic_model_fit with checkpoints in the folder; checkpoint may be NULL. A fit that
 * was cancelled, or ended by max_iter, leaves one, from which a fit that resumes goes on
 * to the same bits; progress is told of the iterations that the checkpoint had before it
 * goes on, polled. The model is to be saved by dlp_topic_folder_save, which removes the
 * checkpoint of a fit that ended otherwise.
 */
DLP_API dlp_status dlp_topic_folder_fit(dlp_topic_folder *folder,
                                        const dlp_corpus *corpus,
                                        const dlp_document_covariates *covariates,
                                        const dlp_topics_settings *settings,
                                        const dlp_checkpoint_settings *checkpoint,
                                        dlp_topic_model **model, dlp_error *error);
/* The model in the folder when it has converged and is what a fit of this would give;
   NULL: it is not, or there is none. */
DLP_API dlp_status dlp_topic_folder_finished(const dlp_topic_folder *folder,
                                             const dlp_corpus *corpus,
                                             const dlp_document_covariates *covariates,
                                             const dlp_topics_settings *settings,
                                             dlp_topic_model **model, dlp_error *error);

#ifdef __cplusplus
}
#endif

#endif
