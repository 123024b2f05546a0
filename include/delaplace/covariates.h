/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The covariates of a corpus' documents, from a table and a formula: which row of the
 * table belongs to which document, the columns that the formula makes, and the documents
 * with missing values.
 */
#ifndef DELAPLACE_COVARIATES_H
#define DELAPLACE_COVARIATES_H

#include <delaplace/design.h>
#include <delaplace/topics.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- which row belongs to which document ---- */

typedef struct dlp_document_rows {
    dlp_index *row;      /* (D) the table's row of each document; NULL: unknown */
    dlp_index column;    /* the column whose names matched; -1: matched by order */
    dlp_index candidate; /* the column with the most of the documents' names, if one was
                            searched for; -1: none has any */
    dlp_index named;     /* how many documents that column names exactly once */
} dlp_document_rows;

/*
 * If the corpus has its documents' names, rows are found by name: in `column` if it is
 * not NULL, else in a column called "document", else in one that has each name once.
 * Otherwise row i is document i if there are as many rows as documents; if not, rows->row
 * is NULL. Names that are just the documents' numbers in order do not count as names.
 * Only D and name of the corpus are used.
 *
 * Fails if `column` is not in the table or the corpus has no names, and if the column
 * lacks a document or has it twice. At most O(columns rows log rows).
 */
DLP_API dlp_status dlp_document_rows_find(const dlp_table *table,
                                          const dlp_corpus *corpus, const char *column,
                                          dlp_document_rows *rows, dlp_error *error);
DLP_API void dlp_document_rows_free(dlp_document_rows *rows); /* fine on a zeroed one */

/* ---- their covariates ---- */

typedef struct dlp_covariate_settings {
    size_t size;          /* set by dlp_covariate_settings_default */
    const char *document; /* the column of the documents' names; default NULL: find it */
    const dlp_index *row; /* (D) the table's row of each document, if it is known; default
                             NULL: find it */
    const unsigned char *among; /* (D) 0: ignore this document; default NULL: all count */
    int missing_is_error;       /* non-zero: a missing value is an error; default 0: its
                                   document has known[d] = 0 */
    dlp_design_problem *problem; /* filled in when the table is refused, for programs that
                                    have advice; default NULL: not wanted */
    /* build: the reference levels of factors; default: each factor's first level, by
       number or by alphabet */
    dlp_index n_references;
    const dlp_reference *reference; /* (n_references) */
} dlp_covariate_settings;

DLP_API void dlp_covariate_settings_init(dlp_covariate_settings *settings, size_t size);
static inline dlp_covariate_settings dlp_covariate_settings_default(void)
{
    dlp_covariate_settings settings;
    dlp_covariate_settings_init(&settings, sizeof settings);
    return settings;
}

/* A zeroed struct means no covariates. */
typedef struct dlp_document_covariates {
    dlp_index D, p;
    double *X;            /* (D, p) row by row, the intercept first; 0 for documents that
                             are not known */
    unsigned char *known; /* (D) whether the document counts and has no missing value */
    dlp_index *row;       /* (D) the table's row of each */
    dlp_design *design; /* its names and terms describe the columns, its `missing` counts
                           missing values */
    dlp_index dropped;  /* documents that dlp_covariates_drop left out */
} dlp_document_covariates;

/* The columns of a formula, "~ year + party", for a fit. The formula must have an
   intercept; offsets, groups and categories that differ in every document are refused.
   settings may be NULL. The table is not needed afterwards. Released by
   dlp_document_covariates_free. */
DLP_API dlp_status dlp_covariates_build(const dlp_table *table, const char *formula,
                                        const dlp_corpus *corpus,
                                        const dlp_covariate_settings *settings,
                                        dlp_document_covariates *covariates,
                                        dlp_error *error);
/* The same columns for other documents; dlp_topic_model_covariate_terms has the terms of a
   model. */
DLP_API dlp_status dlp_covariates_rebuild(const dlp_table *table, const dlp_terms *terms,
                                          const dlp_corpus *corpus,
                                          const dlp_covariate_settings *settings,
                                          dlp_document_covariates *covariates,
                                          dlp_error *error);
/* fine on a zeroed or failed one */
DLP_API void dlp_document_covariates_free(dlp_document_covariates *covariates);

/* In the form that fits take; it points into *covariates. */
static inline dlp_covariates dlp_covariates_of(const dlp_document_covariates *covariates)
{
    dlp_covariates numbers;
    numbers.D = covariates->D;
    numbers.p = covariates->p;
    numbers.X = covariates->X;
    numbers.name = covariates->design ? covariates->design->name : NULL;
    return numbers;
}

/*
 * Removes the documents that are not known in one of the n covariates from *corpus, which
 * is replaced, and from all n covariates, and counts them in *dropped. Documents without
 * names are then named by their numbers in the whole corpus, from 1, so that it stays
 * clear which are left. Covariates may be empty.
 */
DLP_API dlp_status dlp_covariates_drop(int n, dlp_document_covariates *const covariates[],
                                       dlp_corpus **corpus, dlp_index *dropped,
                                       dlp_error *error);

#ifdef __cplusplus
}
#endif

#endif
