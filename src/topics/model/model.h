/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Inside a topic model: model.c answers questions about it, model_fit.c and model_make.c
 * make it, model_json.c its model.json; topic_labels.c and model_merge.c keep what people
 * say about it; model_save.c and model_load.c write and read its folder. Internal.
 */
#ifndef DLPI_TOPICS_MODEL_H
#define DLPI_TOPICS_MODEL_H

#include "core/scratch.h"
#include "topics/ctm/ctm_fit.h"

#include <delaplace/topic_content.h>
#include <delaplace/topic_labels.h>
#include <delaplace/topic_model.h>
#include <delaplace/topic_slices.h>

#include <jansson.h>
#include <stdbool.h>

#define DLPI_TOPICS_FORMAT "delaplace-topics"
enum { DLPI_TOPICS_VERSION = 1 };

/* Topics of the fit that are reported as one; all zero if none are. K is the fit's. */
typedef struct dlpi_topic_merge {
    dlp_index *group; /* (K) which topic each belongs to, from 0 */
    double *share;    /* (K) mean over documents: the weights of words */
    double *around;   /* (K) the mean of the distribution that theta is drawn from */
    dlp_topics fitted;
    double *theta; /* (D, K) NULL: not loaded */
} dlpi_topic_merge;

/* Topics that drift: topic_slices.h. Zeroed where they do not; T alone where not
   loaded. */
typedef struct dlpi_model_slices {
    dlp_index T;
    dlp_topic_slices topics;
    double *slice; /* (D) of each document, from 0 */
    char **name;   /* (T) one block */
} dlpi_model_slices;

/* Words that differ by group: topic_content.h. Zeroed where they do not. */
typedef struct dlpi_model_content {
    dlp_topic_content topics;
    char **name;        /* (G) one block */
    dlp_topics reading; /* only its beta is its own */
} dlpi_model_content;

struct dlp_topic_model {
    dlp_topic_model_info info;
    dlp_topics topics;          /* with merged topics as one; else as fitted */
    double *theta;              /* (D, K) NULL: not loaded */
    dlpi_scratch means;         /* where theta as fitted is on disk; else none */
    dlpi_scratch words;         /* where beta as fitted is on disk; else none */
    char **vocab;               /* (V) NULL: not known; one block */
    char **names;               /* (D) NULL: not known or not loaded; one block */
    bool named;                 /* the folder has names */
    dlp_terms *terms;           /* NULL: no covariates */
    char **column;              /* (p) each its own; NULL without terms */
    dlp_topic_model_row *trace; /* (n_trace) */
    int n_trace;
    dlp_document_settings document;
    const dlpi_ctm_method *method; /* document.method */
    char *init;                    /* memory of info.init */
    json_t *json;                  /* model.json except the list of files */
    char *text;                    /* the same as text */
    char **label;                  /* (K) "": none; one block; NULL: no topic has one */
    dlpi_topic_merge merge;
    dlpi_model_slices slices;
    dlpi_model_content content;
};

/* What a fit was asked for. */
typedef struct dlpi_topic_request {
    const dlp_corpus *corpus;
    const dlp_document_covariates *covariates; /* NULL: none */
    dlp_topics_settings settings;              /* merged with the defaults */
} dlpi_topic_request;

/* All that the bits of a fit depend on and, given its result, how it ended: model.json
   without the list of files. NULL without memory. */
json_t *dlpi_topic_request_json(const dlpi_topic_request *request);
json_t *dlpi_topic_result_json(const dlpi_topic_request *request,
                               const dlp_topics_result *result);
/* "sums": how many documents EM added up, and (K) their words of each topic. */
json_t *dlpi_topic_sums_json(double D, double smooth, dlp_index K, const double *words);
/* How many documents would tell as much about Sigma_0 in one fit as the model's did.
   model_pairs.c */
double dlpi_topic_model_worth(const dlp_topic_model *model);
/* Whether words were assigned on average over theta: model_halves.c */
bool dlpi_topic_model_averages(const dlp_topic_model *model);
json_t *dlpi_topic_simulated_json(const dlp_topics *topics, const dlp_corpus *corpus,
                                  uint64_t seed, double concentration);

/* Makes a model of a fit as it is now, with the seconds to the end of each iteration;
   copies everything. */
dlp_status dlpi_topic_model_make(const dlpi_topic_request *request, dlp_ctm *ctm,
                                 const double *seconds, dlp_topic_model **model,
                                 dlp_error *error);

/* Checks a corpus, and that its terms are the model's. */
dlp_status dlpi_topic_model_check_terms(const dlp_topic_model *model,
                                        const dlp_corpus *corpus, dlp_error *error);

/* dlp_topic_model_fit in which documents of an earlier fit count, too (ctm_kept.c).
   model_fit.c */
dlp_status dlpi_topic_model_fit_kept(const dlp_corpus *corpus,
                                     const dlp_topics_settings *settings,
                                     const dlpi_ctm_former *former,
                                     dlp_topic_model **model, dlp_error *error);

/* Takes over json (NULL: no memory), and reads the parts of info that the model's sizes
   do not determine. */
dlp_status dlpi_topic_model_take_json(dlp_topic_model *model, json_t *json,
                                      dlp_error *error);

/* m->text anew from m->json. */
dlp_status dlpi_topic_model_print_json(dlp_topic_model *model, dlp_error *error);

/* Reads the merged topics, then the labels, from model.json: model_merge.c,
   topic_labels.c. After topics and theta. */
dlp_status dlpi_topic_model_read_merge(dlp_topic_model *model, const json_t *info,
                                       dlp_error *error);
dlp_status dlpi_topic_model_read_labels(dlp_topic_model *model, const json_t *info,
                                        dlp_error *error);
void dlpi_topic_merge_free(dlpi_topic_merge *merge); /* fine on a zeroed one */
/* theta as fitted; NULL: not loaded */
static inline const double *dlpi_topic_model_fitted_theta(const dlp_topic_model *model)
{
    return model->merge.group ? model->merge.theta : model->theta;
}

/* Topics of slices: model_slices.c. Takes them from a fit, writes them to a folder, and
   reads them from one, before topics are merged. */
struct dlpi_folder_files;
dlp_status dlpi_topic_model_take_slices(dlp_topic_model *model,
                                        const dlpi_topic_request *request, dlp_ctm *ctm,
                                        dlp_error *error);
dlp_status dlpi_topic_model_put_slices(const dlp_topic_model *model,
                                       const struct dlpi_folder_files *files);
dlp_status dlpi_topic_model_read_slices(dlp_topic_model *model, const char *folder,
                                        const json_t *info, bool wanted,
                                        dlp_error *error);
void dlpi_model_slices_free(dlpi_model_slices *slices); /* fine on a zeroed one */

/* Words by group, the same: model_content.c; and "content_scales" in a result's json. */
dlp_status dlpi_topic_model_take_content(dlp_topic_model *model,
                                         const dlpi_topic_request *request, dlp_ctm *ctm,
                                         dlp_error *error);
dlp_status dlpi_topic_model_put_content(const dlp_topic_model *model,
                                        const struct dlpi_folder_files *files);
dlp_status dlpi_topic_model_read_content(dlp_topic_model *model, const char *folder,
                                         const json_t *info, dlp_error *error);
json_t *dlpi_topic_model_with_scales(json_t *json, const dlp_topic_model *model);
void dlpi_model_content_free(dlpi_model_content *content); /* fine on a zeroed one */

/* n texts in one block, to be freed; NULL without memory. */
char **dlpi_copy_names(char *const *name, dlp_index n);
/* "1", "2", ..., "n", for things without names; one block. */
char **dlpi_count_names(dlp_index n);

#endif
