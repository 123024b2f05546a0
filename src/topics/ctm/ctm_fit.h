/* SPDX-License-Identifier: BSD-3-Clause */
/* Inside a fit of the correlated topic model by variational EM. Internal. */
#ifndef DLPI_TOPICS_CTM_FIT_H
#define DLPI_TOPICS_CTM_FIT_H

#include "comm/tree.h"
#include "core/scratch.h"
#include "corpus/formats/block.h"
#include "infer/listener.h"
#include "topics/ctm/ctm.h"

#include <delaplace/topic_slices.h>

/* Documents that an E step takes at a time. */
enum { DLPI_CTM_BLOCK = 2048 };
/* Chunks by which the M step of beta adds up terms. */
enum { DLPI_CTM_TERM_CHUNKS = 64 };

/* The numbers at the head of the sums of an E step. */
enum {
    DLPI_CTM_OBJECTIVE,
    DLPI_CTM_EVALUATIONS,
    DLPI_CTM_UNSETTLED, /* documents */
    DLPI_CTM_STOPS,     /* processes that were told to stop */
    DLPI_CTM_HEAD
};

/* What an E step adds up over documents, and over each chunk of them. One array. */
typedef struct dlpi_ctm_sums {
    double *head;    /* (DLPI_CTM_HEAD) */
    double *scatter; /* (K, K) upper triangle: sum_d Sigma_d + r_d r_d', where
                        r_d = E[theta_d] - Gamma' x_d */
    double *cross;   /* (p, K) sum_d x_d r_d' */
} dlpi_ctm_sums;

/* Which of all documents this process has. Process 0 has the whole corpus, for the start
   and the M step, and reads the first documents in an E step; the others have only their
   own. */
typedef struct dlpi_ctm_share {
    dlpi_comm *comm;
    dlpi_comm alone;    /* if there is only one process */
    dlp_index D, words; /* of all */
    dlp_index parts;    /* of the tree in which documents are added up */
    dlp_index first, n; /* the documents of this process: first..first+n-1 of all */
    dlp_status status;  /* of messages: once one fails, so does the fit */
    dlp_error error;
    bool stop; /* some process was told to, and all know */
} dlpi_ctm_share;

/* What a fit begins with, as dlp_topics_init numbers it. */
typedef enum dlpi_ctm_init { DLPI_CTM_SPECTRAL, DLPI_CTM_RANDOM } dlpi_ctm_init;
/* By name; false: there is none. */
bool dlpi_ctm_init_find(const char *name, dlpi_ctm_init *init);

struct dlp_ctm {
    dlp_topics_settings settings;
    const dlpi_ctm_method *method; /* settings.method */
    dlpi_ctm_init init;            /* settings.init */
    dlpi_listener listener;
    dlpi_steps steps; /* for how many iterations are left */
    bool started;     /* there are topics to step from */
    dlpi_ctm_share share;
    const dlp_corpus *corpus; /* of this process */
    dlp_index *occurs;        /* (V) how often each term occurs */
    dlpi_ctm_shared shared;

    struct dlpi_divided *divided;     /* topics among processes; NULL: each has all */
    struct dlpi_slices *slices;       /* of topics that drift; NULL: they do not */
    struct dlpi_dirichlet *dirichlet; /* a Dirichlet prior; NULL: the logistic normal */
    struct dlpi_average *average; /* words assigned on average; NULL: at modes */
    struct dlpi_ctm_kept *kept; /* sums of documents of an earlier fit; NULL: none */
    bool *fixed;                /* (K) topics whose words stay as they are; NULL: none */

    dlp_index p; /* covariates, the intercept included */
    double *X;   /* (D, p-1) those after the intercept, standardised; of this process */
    double *center, *unit; /* (p-1) what was subtracted, and divided by */
    double *gram;          /* (p, p) X'X, the intercept's row and column first */
    double *ridge_factor;  /* (p, p) of X'X + ridge */
    double *Gamma;         /* (p, K) on the standardised covariates */
    double *shift;         /* (2, p, K) for the M step */

    double *mu; /* (D, K) in `means` */
    dlpi_scratch means;
    const char *folder;     /* of the means, if they are on disk; else NULL */
    double spectral_memory; /* bytes that the start may take */
    dlpi_tree
        tree; /* of sums, each made of counts (V, stride), unless topics are divided, and
                 a dlpi_ctm_sums */
    dlp_index n_counts; /* numbers of a sum that are counts */
    /* What the M step has for terms from first_term on: all, or those that this process
       owns. */
    dlp_index first_term;
    double *counts;         /* (V, stride) expected counts of terms in topics */
    double *beta;           /* (V, stride) shared.beta, unless topics are divided */
    double *e;              /* (block, stride) exp(mu_d - max) of a block's documents */
    dlpi_block block;       /* of documents, by terms */
    dlpi_ctm_document *doc; /* (threads) */
    dlp_index n_chunks;
    dlpi_ctm_sums *chunk; /* (n_chunks) */
    dlpi_ctm_sums sums;   /* over all documents */
    double *sums_block;   /* the one allocation behind those of chunks */
    double *term_sums;    /* (term chunks + 1, K) sums of counts, and their sum */
    double moved;         /* how far the topics moved in the last M step */
    bool by_mean;         /* the sums are of documents' means; false: of their modes */
    bool summed;          /* sums and counts belong to the present beta, Gamma, Sigma_0 */

    dlp_topics_row *trace; /* (max_iter) */
    dlp_topics_result result;
};

/* Whether the corpus has term v. */
static inline bool dlpi_ctm_is_seen(const dlp_ctm *ctm, dlp_index v)
{
    return ctm->occurs[v] > 0;
}

/* Divides the memory among its uses: ctm_memory.c. With p covariates, and that many pairs
   in a block. DLP_ENOMEM if there is too little even with the means on disk. */
dlp_status dlpi_ctm_plan_memory(dlp_ctm *ctm, dlp_index p, dlp_index pairs,
                                dlp_error *error);
/* The number of chunks of a block: enough for many threads, few enough for their memory.
   It determines the order of summation, so it depends on K alone. */
dlp_index dlpi_ctm_chunks(dlp_index K);
/* Hands the means to the caller; the fit must have ended. */
void dlpi_ctm_give_means(dlp_ctm *ctm, dlpi_scratch *means);

/* Whether a fit can start from this model. ctm_start.c */
dlp_status dlpi_ctm_check_start(const dlp_ctm *ctm, const dlp_topics *start,
                                dlp_error *error);

/* Seeds, terms that topics are to have: ctm_seeds.c. Checks that their terms and topics
   exist; adds them to the expected counts; and makes topics to begin with, in the order
   of the seeds. */
dlp_status dlpi_ctm_check_seeds(const dlp_corpus *corpus, const dlp_topics_settings *s,
                                dlp_error *error);
void dlpi_ctm_count_seeds(dlp_ctm *ctm);
dlp_status dlpi_ctm_seed_topics(dlp_ctm *ctm, dlp_error *error);

/* Covariates, their ridge regression, Gamma and Sigma_0: ctm_prior.c */
dlp_status dlpi_ctm_prior_alloc(dlp_ctm *ctm, const dlp_covariates *covariates,
                                dlp_error *error);
void dlpi_ctm_prior_free(dlp_ctm *ctm);
/* mean (K) = Gamma' x_d */
void dlpi_ctm_prior_mean(const dlp_ctm *ctm, dlp_index d, double *mean);
/* cross += x_d r' */
void dlpi_ctm_add_cross(const dlp_ctm *ctm, dlp_index d, const double *r, double *cross);
/* The M step of Gamma and Sigma_0; false when Sigma_0 is not positive definite. */
bool dlpi_ctm_update_prior(dlp_ctm *ctm);
/* Gamma of the covariates as they were given, into out (p, K), and back from there. */
void dlpi_ctm_gamma_out(const dlp_ctm *ctm, double *out);
void dlpi_ctm_gamma_in(dlp_ctm *ctm, const double *in);

/* A Dirichlet prior: dirichlet_prior.c. Allocates, after dlpi_ctm_prior_alloc; sets Gamma
   and Sigma_0 at the start; and does their M step. */
dlp_status dlpi_dirichlet_alloc(dlp_ctm *ctm, dlp_error *error);
void dlpi_dirichlet_free(struct dlpi_dirichlet *dirichlet);
bool dlpi_dirichlet_start(dlp_ctm *ctm);
bool dlpi_dirichlet_update_prior(dlp_ctm *ctm);

/* Topics that drift: ctm_slices.c. Corpus and beta have one term for each pair of slice
   and term. */
typedef struct dlpi_slices dlpi_slices;
dlp_status dlpi_slices_alloc(const dlp_corpus *corpus,
                             const dlp_topics_settings *settings, dlpi_slices **slices,
                             dlp_error *error);
dlp_status dlpi_slices_reserve(dlpi_slices *slices, dlp_index stride, dlp_error *error);
void dlpi_slices_free(dlpi_slices *slices);
const dlp_corpus *dlpi_slices_corpus(const dlpi_slices *slices);
double *dlpi_slices_drift(dlpi_slices *slices); /* a part of the state of EM */
/* Topics to begin with: spectral ones, or beta (V, K), in every slice; distributions of
   them. */
dlp_status dlpi_slices_spectral(dlp_ctm *ctm, dlp_error *error);
void dlpi_slices_repeat(dlp_ctm *ctm, const double *beta);
void dlpi_slices_normalise(dlp_ctm *ctm);
/* The M step of beta, which overwrites the counts. */
void dlpi_slices_m_step(dlp_ctm *ctm);
/* Words that differ by group: ctm_content.c. Like slices, but with another M step. In
   order: what the settings ask for; memory; after the start; the M step; and the state of
   EM besides beta, `size` bytes, for a checkpoint. */
struct dlpi_content;
dlp_status dlpi_content_check(const dlp_corpus *corpus,
                              const dlp_topics_settings *settings, dlp_error *error);
dlp_status dlpi_content_alloc(dlpi_slices *slices, dlp_index stride, dlp_error *error);
void dlpi_content_free(struct dlpi_content *content);
void dlpi_content_begin(dlp_ctm *ctm);
void dlpi_content_m_step(dlp_ctm *ctm);
double *dlpi_content_state(const dlp_ctm *ctm, size_t *size);
/* beta (K, V): the mean over slices. */
void dlpi_slices_mean(const dlp_ctm *ctm, double *beta);

/* Topics divided among processes: ctm_divide.c, ctm_fetch.c. In an E step, in order:
   begins it; at the first document of a block, fetches the block's rows of beta; takes
   part in the fetching of others when no documents are left; finds the rows of terms,
   into placed (n); and, after all documents, adds up the counts. */
void dlpi_divided_begin(dlp_ctm *ctm);
void dlpi_divided_fetch(dlp_ctm *ctm, dlp_index document);
void dlpi_divided_fetch_none(dlp_ctm *ctm);
const int32_t *dlpi_divided_place(const dlp_ctm *ctm, dlp_index n, const int32_t *term,
                                  int32_t *placed);
void dlpi_divided_count(dlp_ctm *ctm);
/* In the M step: which chunks of terms this process has; and sums (chunks, n) are sent to
   all. If topics are not divided, it has all chunks, and this and what follows do
   nothing. */
void dlpi_divided_own_chunks(const dlp_ctm *ctm, dlp_index *first, dlp_index *end);
void dlpi_divided_share_chunks(dlp_ctm *ctm, dlp_index n, double *sums);
/* Sends the whole beta of process 0 to the owners of its rows, and back; and, at the end,
   collects what the model needs. */
void dlpi_divided_spread(dlp_ctm *ctm);
void dlpi_divided_gather(dlp_ctm *ctm);
void dlpi_divided_end(dlp_ctm *ctm);
/* dlp_ctm_topics; if topics are divided, beta is in a file, *words, which the caller
   owns. */
dlp_status dlpi_ctm_topics_of(const dlp_ctm *ctm, dlpi_scratch *words, dlp_topics *topics,
                              dlp_error *error);
/* (V, stride) of process 0, after that. */
double *dlpi_ctm_whole_beta(const dlp_ctm *ctm);

/* The default of settings.smooth, given the numbers of topics, terms and words.
   ctm_alloc.c */
double dlpi_ctm_usual_smooth(dlp_index K, dlp_index V, dlp_index words);

/* DLP_RUNNING, or how EM has ended with the last row of its trace. ctm_em.c */
dlp_outcome dlpi_ctm_ended(const dlp_ctm *ctm);

/* The sums of an E step; `climb` false: with the means as they are. With several
   processes, process 0 gets the sums, and all of them the head. */
void dlpi_ctm_e_step(dlp_ctm *ctm, bool climb);
/* Computes the sums of the last iteration again, at its means. ctm_em.c */
void dlpi_ctm_sum_again(dlp_ctm *ctm);
/* Documents from..to-1 of this process, a part of the tree, into its sums: counts, then
   the rest. */
void dlpi_ctm_infer_part(dlp_ctm *ctm, dlp_index from, dlp_index to, bool climb,
                         double *part);
/* The same for one block, in two steps, of which several processes may share the first.
   Infers the documents of chunks from..to-1 of a block of n, which are this process's
   documents from `at` on; and adds up all chunks and, by ctm->e of all n documents, the
   counts. */
void dlpi_ctm_infer_chunks(dlp_ctm *ctm, dlp_index n, dlp_index from, dlp_index to,
                           dlp_index at, bool climb);
void dlpi_ctm_sum_block(dlp_ctm *ctm, dlp_index first, dlp_index to, double *part);
/* From the sums to beta, Gamma and Sigma_0; false: the last is not positive definite.
   ctm_em.c */
bool dlpi_ctm_m_step(dlp_ctm *ctm);
/* Its part about beta: ctm_beta.c */
void dlpi_ctm_update_beta(dlp_ctm *ctm);
/* Passes by minibatches, after the start: ctm_online.c */
dlp_status dlpi_ctm_online(dlp_ctm *ctm, dlp_error *error);
/* Documents of an earlier fit: ctm_kept.c. */
typedef struct dlpi_ctm_former {
    double D;            /* how many they are */
    const double *words; /* (K) how many they have of each topic */
    double weight;       /* of each; a present document has 1 */
    double smooth; /* that their topics have; 0: not known, as of those that are there */
} dlpi_ctm_former;
/* Makes the M steps include the documents that settings.start was fitted to, with their
   sums as they were then. To be called after the alloc and before the start; not with
   covariates, slices or a Dirichlet prior. */
dlp_status dlpi_ctm_keep(dlp_ctm *ctm, const dlpi_ctm_former *former, dlp_error *error);
void dlpi_ctm_kept_free(struct dlpi_ctm_kept *kept); /* NULL is fine */
/* For the M step: adds their sums; and then moves their r_d = mu_d - mu_0 to the new
   mu_0. */
void dlpi_ctm_add_kept(dlp_ctm *ctm);
void dlpi_ctm_move_kept(dlp_ctm *ctm);
/* Adapts the sums (n) over D documents, which contain r_d, to a mu_0 that moved by
   `shift`. */
void dlpi_ctm_move_sums(const dlp_ctm *ctm, const double *shift, double D, double *sums);
/* (K) the words of each topic by the last E step; false: there was none. */
bool dlpi_ctm_topic_words(const dlp_ctm *ctm, double *words);
/* Where each part is in sums that begin at `numbers`. */
dlpi_ctm_sums dlpi_ctm_sums_at(const dlp_ctm *ctm, double *numbers);
dlp_index dlpi_ctm_sums_size(const dlp_ctm *ctm);

/* Several processes: ctm_share.c. Decides which documents this process has; the corpus is
   the whole one, or holds these alone. Limits the settings' slices to them. */
dlp_status dlpi_ctm_share_take(dlp_ctm *ctm, const dlp_corpus *corpus,
                               dlp_topics_settings *settings, dlp_error *error);
static inline bool dlpi_ctm_leads(const dlp_ctm *ctm)
{
    return ctm->share.comm->rank == 0;
}
static inline bool dlpi_ctm_alone(const dlp_ctm *ctm)
{
    return ctm->share.comm->size == 1;
}
/* The failure of an earlier message, if there was one. */
dlp_status dlpi_ctm_failure(const dlp_ctm *ctm, dlp_error *error);
/* If one process failed, all of them fail. */
dlp_status dlpi_ctm_agree(dlp_ctm *ctm, dlp_status status, dlp_error *error);
/* Sends beta, Gamma, Sigma_0 and how far the topics moved from process 0 to all. Returns
   process 0's `good`. */
bool dlpi_ctm_share_topics(dlp_ctm *ctm, bool good);
/* Adds up the sums in process 0, and sends their head to all. */
void dlpi_ctm_share_sums(dlp_ctm *ctm);
/* Returns process 0's `yes` in all processes. */
bool dlpi_ctm_lead_decides(dlp_ctm *ctm, bool yes);
/* After the last iteration: process 0 has the means, and the sums that the model is made
   of. */
void dlpi_ctm_settle(dlp_ctm *ctm);
/* The means of all documents, and topics that are divided, to process 0. */
void dlpi_ctm_collect_state(dlp_ctm *ctm);
/* The means of all documents to process 0, and from there. */
void dlpi_ctm_collect_means(dlp_ctm *ctm);
void dlpi_ctm_spread_means(dlp_ctm *ctm);
/* After process 0 read a checkpoint: sends its state, as at the end of an iteration, to
   all. */
dlp_status dlpi_ctm_share_state(dlp_ctm *ctm, dlp_error *error);
/* A trace with room for these iterations and for those that may follow.
   ctm_checkpoint.c */
dlp_status dlpi_ctm_make_trace(dlp_ctm *ctm, int64_t iterations, dlp_error *error);

/* Which process has which documents: corpus_share.c. The number of parts of D documents;
   the first document of a part, and of a process; and documents first..to-1 of a corpus,
   which may be none. */
dlp_index dlpi_ctm_parts(dlp_index D);
dlp_index dlpi_ctm_part_begins(dlp_index D, dlp_index parts, dlp_index part);
dlp_index dlpi_ctm_rank_begins(dlp_index D, int rank, int size);
dlp_status dlpi_ctm_select(const dlp_corpus *corpus, dlp_index first, dlp_index to,
                           dlp_corpus **own, dlp_error *error);

#endif
