/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The folder of a topic model (docs/topics.md):
 *
 *     model.json   what it is, how it was fitted, the checksums of the files below
 *     beta.npy     (K, V) topics: rows sum to 1
 *     mu.npy       (K) prior mean of theta; with covariates the intercepts
 *     gamma.npy    (p, K) with covariates alone: all of Gamma
 *     sigma.npy    (K, K) prior covariance of theta
 *     theta.npy    (D, K) posterior means of theta
 *     vocab.txt    (V) terms, where they are known
 *     docs.txt     (D) documents' names, where they are known
 *     trace.csv    the iterations
 *     checkpoint   while a fit runs, and where one ended before convergence
 *
 * topics_write.c writes it, topics_folder.c reads it, topics_commit.c sees to it that no
 * reader ever finds two fits mixed.
 */
#ifndef DLP_CLI_TOPICS_FOLDER_H
#define DLP_CLI_TOPICS_FOLDER_H

#include <delaplace.h>
#include <jansson.h>

/* New documents are read to this accuracy of their means, relative to their norm. On the
   AP corpus at 50 topics, proportions are then within 4e-6 of where they would end, and
   closer steps cost time alone: their standard deviations are about 1e-2. */
#define CLI_TOPICS_READING_TOL 1e-5

#define CLI_TOPICS_FORMAT "delaplace-topics"
enum { CLI_TOPICS_VERSION = 1 };

/* What of a folder is large and not always needed. */
enum {
    CLI_TOPICS_THETA = 1, /* the documents' means */
    CLI_TOPICS_DOCS = 2,  /* their names */
};

/* A model as its folder holds it. Zeroed, it is empty. */
typedef struct cli_topics_folder {
    json_t *info; /* model.json */
    dlp_topics topics;
    dlp_index D;      /* documents of the fit */
    char **vocab;     /* (V) NULL: not known; one block */
    char **docs;      /* (D) NULL: not known or not asked for; one block */
    double *theta;    /* (D, K) NULL: not asked for */
    dlp_terms *terms; /* how a table becomes covariates; NULL: the model has none */
    char **column;    /* (p) covariates' names, "(Intercept)" first; NULL with terms */
    dlp_document_settings document; /* how the fit read its documents, at a tolerance fit
                                       for new ones */
} cli_topics_folder;

/* Reads and checks the folder at path; parts: CLI_TOPICS_... of which to read, too. On
   failure *folder is zeroed, and the error says which file is wrong and what to do. */
dlp_status cli_topics_folder_read(const char *path, unsigned parts,
                                  cli_topics_folder *folder, dlp_error *error);
/* Frees what it holds and zeroes it. */
void cli_topics_folder_clear(cli_topics_folder *folder);

/* The name of a term: its word when the vocabulary is known, else its id from 0, written
   to number. */
const char *cli_topics_term(const cli_topics_folder *folder, dlp_index v,
                            char number[32]);
/* The name of a document in the same way, its number counted from 1. */
const char *cli_topics_document(const cli_topics_folder *folder, dlp_index d,
                                char number[32]);

#endif
