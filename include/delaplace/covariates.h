/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The covariates of a corpus' documents, from a table and a formula: which row of the
 * table belongs to which document, the columns that the formula makes, and the documents
 * that miss a value.
 */
#ifndef DELAPLACE_COVARIATES_H
#define DELAPLACE_COVARIATES_H

#include <delaplace/design.h>
#include <delaplace/topics.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- which row is which document's ---- */

typedef struct dlp_document_rows {
    dlp_index *row;      /* (D) the table's row of each document; NULL: unknown */
    dlp_index column;    /* the column whose names matched; -1: matched by order */
    dlp_index candidate; /* the column that has most of the names, where one was looked
                             for; -1: none has any */
    dlp_index named;     /* how many documents that column names once */
} dlp_document_rows;

/*
 * Where the corpus knows its documents' names, rows are found by name: in the column that
 * is asked for (NULL: none is), in one called "document", or in one that has each name
 * once. Else row i is document i, when there are as many; where not, rows->row is NULL.
 * Names that are no more than the documents' numbers in their order are no reason to
 * leave that order. Of the corpus, D and name are used alone.
 *
 * Fails when a column is asked for that the table does not have or the corpus has no
 * names for, and when the column lacks a document or has it twice. O(columns rows log
 * rows) at most.
 */
DLP_API dlp_status dlp_document_rows_find(const dlp_table *table,
                                          const dlp_corpus *corpus, const char *column,
                                          dlp_document_rows *rows, dlp_error *error);
DLP_API void dlp_document_rows_free(dlp_document_rows *rows); /* fine on a zeroed one */

/* ---- their covariates ---- */

typedef struct dlp_covariate_settings {
    size_t size;          /* set by dlp_covariate_settings_default */
    const char *document; /* the column of the documents' names; default NULL: find it */
    const dlp_index *row; /* (D) the table's row of each document, where it is known;
                             default NULL: find it */
    const unsigned char
        *among;           /* (D) 0: a document that does not count; default NULL: all
                                   do */
    int missing_is_error; /* default 0: documents that miss a value are not known */
    dlp_design_problem *problem; /* filled in when the table is refused, for programs that
                                    have advice; default NULL: not wanted */
    /* build: the levels that others of their factors are compared with; default: the first of
       numbers, or by the alphabet */
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

/* Zeroed, there are none. */
typedef struct dlp_document_covariates {
    dlp_index D, p;
    double *X;            /* (D, p) row by row, the intercept first; 0 of the unknown */
    unsigned char *known; /* (D) whether a document counts and misses no value */
    dlp_index *row;       /* (D) the table's row of each */
    dlp_design *design; /* its names and terms describe the columns, its missing counts */
    dlp_index dropped;  /* documents that dlp_covariates_drop left out */
} dlp_document_covariates;

/* The columns of a formula, "~ year + party", for a fit. An intercept is needed; offsets,
   groups and columns that are different in every document are refused. settings may be
   NULL. The table is not needed afterwards. */
DLP_API dlp_status dlp_covariates_build(const dlp_table *table, const char *formula,
                                        const dlp_corpus *corpus,
                                        const dlp_covariate_settings *settings,
                                        dlp_document_covariates *covariates,
                                        dlp_error *error);
/* The same columns for other documents; topic_model.h has the terms of a model. */
DLP_API dlp_status dlp_covariates_rebuild(const dlp_table *table, const dlp_terms *terms,
                                          const dlp_corpus *corpus,
                                          const dlp_covariate_settings *settings,
                                          dlp_document_covariates *covariates,
                                          dlp_error *error);
/* fine on a zeroed or failed one */
DLP_API void dlp_document_covariates_free(dlp_document_covariates *covariates);

/* As fits take them. */
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
 * Takes documents that one of the n covariates does not know out of *corpus, which is
 * replaced, and out of all of them, and counts them. Documents without names are then
 * named by their numbers in the whole corpus, from 1, so that it stays clear which are
 * left. Covariates may be empty.
 */
DLP_API dlp_status dlp_covariates_drop(int n, dlp_document_covariates *const covariates[],
                                       dlp_corpus **corpus, dlp_index *dropped,
                                       dlp_error *error);

#ifdef __cplusplus
}
#endif

#endif
