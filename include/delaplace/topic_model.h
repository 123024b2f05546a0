/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A topic model with all that belongs to it: the topics, the words and documents they
 * were found in, the settings of the fit and how it ended, and the folder that keeps it.
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
 * Runs EM to its end. covariates come from dlp_covariates_build, NULL: none; documents
 * with missing values must be dropped first (dlp_covariates_drop). settings must not be
 * NULL: it has K. Corpus, covariates and settings are not needed afterwards. How EM ended
 * is in the model's info; if it is cancelled before the first iteration, there is no
 * model and the status is DLP_ECANCELLED. Released by dlp_topic_model_free.
 */
DLP_API dlp_status dlp_topic_model_fit(const dlp_corpus *corpus,
                                       const dlp_document_covariates *covariates,
                                       const dlp_topics_settings *settings,
                                       dlp_topic_model **model, dlp_error *error);

/* The topics of a model as a start (settings.start) for a fit to another corpus: over
   that corpus's terms, matched by name, with the coefficients of the covariates if the
   new ones are the same, else with the intercepts only. Released by dlp_topics_free. */
DLP_API dlp_status dlp_topic_model_start(const dlp_topic_model *model,
                                         const dlp_corpus *corpus,
                                         const dlp_document_covariates *covariates,
                                         dlp_topics *topics, dlp_error *error);

/* Topics that were not fitted but drawn (simulate.h), with the documents' own theta (D,
   K) and the corpus they made; concentration NaN: the topics were given. Everything is
   copied. */
DLP_API dlp_status dlp_topic_model_simulated(const dlp_topics *topics,
                                             const dlp_corpus *corpus,
                                             const double *theta, uint64_t seed,
                                             double concentration,
                                             dlp_topic_model **model, dlp_error *error);

/* ---- its contents; all valid until the model is freed ---- */

typedef struct dlp_topic_model_info {
    dlp_index K, V, D, p; /* topics, terms, documents, covariates (1: the intercept) */
    dlp_index words;      /* of the documents */
    dlp_index dropped;    /* documents with missing covariates, which are not counted in
                             D */
    const char *method;
    int plain;        /* non-zero: Figure 1 exactly */
    const char *init; /* "spectral", "random", "simulated", or the name of a start */
    uint64_t seed;
    dlp_outcome outcome; /* DLP_RUNNING: it was not fitted */
    int iterations, max_iter;
    double objective, objective_per_word; /* NaN: not fitted */
    int decreases;                        /* iterations in which the objective
                                             decreased */
    dlp_index unsettled; /* documents that did not converge at the last E step */
    double seconds;      /* that the fit took in this run; NaN for a model loaded from a
                            folder */
    int divided; /* processes that each held a part of the topics in this run; 0: each
                    held all of them */
    dlp_topics_method_kind method_kind; /* `method` */
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
/* dlp_topics_correlation_intervals and dlp_topics_associations of a model whose theta is
   loaded. X are the covariates of its documents, or NULL: then the folder's record of what
   they leave unexplained is used, with the same result, except after updates. After these
   (topic_update.h) intervals are wider: what the former documents told is not revised. */
DLP_API dlp_status dlp_topic_model_correlation_intervals(const dlp_topic_model *model,
                                                         const dlp_covariates *X,
                                                         double *lower, double *upper,
                                                         dlp_error *error);
DLP_API dlp_status dlp_topic_model_associations(const dlp_topic_model *model,
                                                const dlp_covariates *X, const double *R,
                                                dlp_topic_association *pair,
                                                dlp_error *error);
/* (V) terms; NULL: not known */
DLP_API char *const *dlp_topic_model_vocab(const dlp_topic_model *model);
/* (D) documents; NULL: not known, or not loaded */
DLP_API char *const *dlp_topic_model_names(const dlp_topic_model *model);
/* The documents of the fit as a corpus without words, for dlp_document_rows_find and
   dlp_covariates_build: only D and name are set; the names belong to the model. */
DLP_API dlp_corpus dlp_topic_model_documents(const dlp_topic_model *model);
/* Where these documents are in a corpus, into document (D): by name if both have names,
   else by position if both have as many; -1: not there, or several have its name. *found
   is how many are. DLP_ENOMEM. */
DLP_API dlp_status dlp_topic_model_find_documents(const dlp_topic_model *model,
                                                  const dlp_corpus *corpus,
                                                  dlp_index *document, dlp_index *found,
                                                  dlp_error *error);
/* How a table becomes covariates, and (p) their names; NULL: the model has none. */
DLP_API const dlp_terms *dlp_topic_model_covariate_terms(const dlp_topic_model *model);
DLP_API char *const *dlp_topic_model_columns(const dlp_topic_model *model);
/* (n) the iterations; NULL and 0: not fitted, not loaded, or lost */
DLP_API const dlp_topic_model_row *dlp_topic_model_trace(const dlp_topic_model *model,
                                                         int *n);
/* How the model infers new documents: with the settings `method` and `plain` of the
   fit. */
DLP_API const dlp_document_settings *
dlp_topic_model_document_settings(const dlp_topic_model *model);
/* The contents of model.json, except for the list of files. */
DLP_API const char *dlp_topic_model_json(const dlp_topic_model *model);

/* ---- new documents ---- */

/* Renumbers the terms of a corpus as in the model, matched by name; if one of the two has
   no names, by number. Words that are not terms of the model are left out and counted in
   *unseen (NULL: not wanted). The corpus has no vocabulary afterwards. What follows takes
   corpora in the model's terms, and refuses those that have names of their own. */
DLP_API dlp_status dlp_topic_model_align(const dlp_topic_model *model, dlp_corpus *corpus,
                                         dlp_index *unseen, dlp_error *error);
/* The reverse: gives a corpus in the model's terms their names, if the model has them. */
DLP_API dlp_status dlp_topic_model_name_terms(const dlp_topic_model *model,
                                              dlp_corpus *corpus, dlp_error *error);
/* The model's covariates for other documents. Fails for a model without covariates. */
DLP_API dlp_status dlp_topic_model_covariates(const dlp_topic_model *model,
                                              const dlp_table *table,
                                              const dlp_corpus *corpus,
                                              const dlp_covariate_settings *settings,
                                              dlp_document_covariates *covariates,
                                              dlp_error *error);
/* The covariates of the documents of the fit, from its table. If rows are matched by
   order and the table also has the rows that the fit left out for missing values, those
   are skipped. The model must have been loaded with names. */
DLP_API dlp_status dlp_topic_model_own_covariates(const dlp_topic_model *model,
                                                  const dlp_table *table,
                                                  const dlp_covariate_settings *settings,
                                                  dlp_document_covariates *covariates,
                                                  dlp_error *error);
/* Whether a table, with rows from dlp_document_rows_find, is such a longer table. */
DLP_API int dlp_topic_model_passes_rows(const dlp_topic_model *model,
                                        const dlp_table *table,
                                        const dlp_document_rows *rows);

/* The topic proportions of all documents of a corpus, into pi (D, K) and, if it is not
   NULL, sd (D, K): dlp_inference_run with the model's document settings. */
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
/* The effects of X on the topics of documents: dlp_topics_effects, with intervals widened
   because the topics are estimated (`splits` of the settings). `prior` are the model's
   own covariates of these documents, NULL if it has none. */
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

/* Parts of a folder that are large and not always needed. */
enum {
    DLP_LOAD_THETA = 1,  /* the documents' means */
    DLP_LOAD_NAMES = 2,  /* their names */
    DLP_LOAD_TRACE = 4,  /* the iterations; none if trace.csv is missing or was changed */
    DLP_LOAD_SLICES = 8, /* the topics of each slice, if they drift */
    DLP_LOAD_ALL = 15
};

/* Whether the file at path is one of the files in a model's folder. */
DLP_API int dlp_topic_model_has_file(const char *folder, const char *path);

/* Reads and checks the folder; parts: which of DLP_LOAD_... to read as well. The error
   says which file is wrong and what to do. On failure *model is NULL. */
DLP_API dlp_status dlp_topic_model_load(const char *path, unsigned parts,
                                        dlp_topic_model **model, dlp_error *error);
/* Opens the folder, writes the model, and closes it. A model that was loaded without its
   theta or the names of its documents cannot be saved. */
DLP_API dlp_status dlp_topic_model_save(const dlp_topic_model *model, const char *path,
                                        dlp_error *error);

/* A folder that only this process writes to. */
typedef struct dlp_topic_folder dlp_topic_folder;

/* Makes the folder if it does not exist. Refused: a folder that contains anything other
   than a model, and one that another process is writing to. Completes the renames of an
   interrupted save, and removes its unfinished files. */
DLP_API dlp_status dlp_topic_folder_open(const char *path, dlp_topic_folder **folder,
                                         dlp_error *error);
/* Removes the folder if it was made here and is still empty; NULL is fine. */
DLP_API void dlp_topic_folder_close(dlp_topic_folder *folder);
DLP_API int dlp_topic_folder_has_checkpoint(const dlp_topic_folder *folder);
/* Writes the model, replacing an existing one, completely or not at all. */
DLP_API dlp_status dlp_topic_folder_save(dlp_topic_folder *folder,
                                         const dlp_topic_model *model, dlp_error *error);

/* Whether names can be written one per line, as the folder needs them; check this before
   long work. */
DLP_API dlp_status dlp_topic_folder_check_names(const dlp_corpus *corpus,
                                                dlp_error *error);

typedef struct dlp_checkpoint_settings {
    size_t size;  /* set by dlp_checkpoint_settings_default */
    double every; /* seconds between two checkpoints, which take at most a tenth of the
                     time; 0: after every iteration; default 2 */
    int resume;   /* non-zero: continue from the folder's checkpoint, if it has one;
                     default 0 */
    /* Called the first time a checkpoint could not be written: the fit goes on, as there
       may be room on the disk again when it ends. Default NULL. */
    void (*failed)(void *context, const dlp_error *error);
    void *context; /* for failed */
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
 * was cancelled, or reached max_iter, leaves one, from which a resumed fit continues to
 * the same bits. Before it continues, progress is called, with `polled` set, for the
 * iterations in the checkpoint. Save the model by dlp_topic_folder_save, which removes
 * the checkpoint of a fit that ended in any other way.
 */
DLP_API dlp_status dlp_topic_folder_fit(dlp_topic_folder *folder,
                                        const dlp_corpus *corpus,
                                        const dlp_document_covariates *covariates,
                                        const dlp_topics_settings *settings,
                                        const dlp_checkpoint_settings *checkpoint,
                                        dlp_topic_model **model, dlp_error *error);
/* The model in the folder, if it has converged and is what this fit would give; else
   *model is NULL. */
DLP_API dlp_status dlp_topic_folder_finished(const dlp_topic_folder *folder,
                                             const dlp_corpus *corpus,
                                             const dlp_document_covariates *covariates,
                                             const dlp_topics_settings *settings,
                                             dlp_topic_model **model, dlp_error *error);

#ifdef __cplusplus
}
#endif

#endif
