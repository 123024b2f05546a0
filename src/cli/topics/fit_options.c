/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/topics/fit_options.h"

#include "cli/common_options.h"
#include "cli/method.h"
#include "cli/topics/covariates.h"
#include "cli/topics/model.h"

static const char *covariance_name(int i)
{
    static const char *const covariances[] = {"marginal", "paper", NULL};
    return covariances[i];
}

static const char *assign_name(int i)
{
    static const char *const names[] = {"mode", "average", NULL};
    return names[i];
}

static const char *prior_name(int i)
{
    static const char *const priors[] = {"logistic-normal", "dirichlet", NULL};
    return priors[i];
}

void cli_topics_fit_defaults(void *settings)
{
    cli_topics_fit_settings *s = settings;
    const dlp_topics_settings library = dlp_topics_settings_default();
    s->method = library.method;
    s->route = cli_route(library.plain != 0);
    s->covariance = covariance_name(library.paper_covariance != 0);
    s->assign = assign_name(library.average != 0);
    s->init = library.init;
    s->seed = (dlp_index)library.seed;
    s->max_iter = library.max_iter;
    s->tol = library.tol;
    s->smooth = library.smooth;
    s->shrink = library.shrink;
    s->seed_weight = library.seed_weight;
    s->ridge = library.ridge;
    s->every = dlp_checkpoint_settings_default().every;
}

const cli_operand cli_topics_fit_operands[] = {
    CLI_CORPUS_OPERAND(offsetof(cli_topics_fit_settings, corpus)),
    {.name = NULL},
};

#define FIELD(name) offsetof(cli_topics_fit_settings, name)

const cli_option cli_topics_fit_options[] = {
    {.name = "topics",
     .letter = 'k',
     .type = CLI_COUNT,
     .value = "K",
     .offset = FIELD(K),
     .required = true,
     .min = 2,
     .max = 10000,
     .help = "How many topics."},
    {.name = "output",
     .letter = 'o',
     .type = CLI_PATH,
     .value = "MODEL/",
     .offset = FIELD(output),
     .required = true,
     .help = "The folder for the model. If it holds a model already, that stays as it is "
             "until the fit has ended."},
    CLI_VOCAB(FIELD(vocab)),
    CLI_CORPUS_FORMAT(FIELD(format)),
    {.name = "prior",
     .type = CLI_CHOICE,
     .value = "PRIOR",
     .offset = FIELD(prior),
     .choices = prior_name,
     .initial = "logistic-normal",
     .help = "What a document's proportions are drawn from. dirichlet is latent "
             "Dirichlet allocation, and with --formula Dirichlet-multinomial "
             "regression: topics then have no correlations. It serves as a "
             "baseline."},
    CLI_TOPICS_METHOD(FIELD(method)),
    CLI_ROUTE(FIELD(route),
              "maximising over a document's proportions with the words' topics summed "
              "out"),
    {.name = "covariance",
     .type = CLI_CHOICE,
     .value = "WHICH",
     .offset = FIELD(covariance),
     .choices = covariance_name,
     .of_library = true,
     .help = "How Laplace's method finds the uncertainty of a document's "
             "proportions: marginal allows for the words' topics being unknown; "
             "paper holds them fixed, as published, which makes topics look more "
             "correlated than they are, and stops when the objective alone has "
             "settled."},
    {.name = "assign",
     .type = CLI_CHOICE,
     .value = "HOW",
     .offset = FIELD(assign),
     .choices = assign_name,
     .of_library = true,
     .help = "How a word is assigned to topics: by the mode of its document's "
             "proportions, or on average over their uncertainty. Where a fit says that "
             "documents are short for so many topics, average, from topics that are "
             "known (--init), gives correlations that are not too near 0; from anchor "
             "words it may not come to rest, and helps little."},
    {.name = "init",
     .type = CLI_STRING,
     .value = "START",
     .offset = FIELD(init),
     .of_library = true,
     .help =
         "The topics to start from: spectral finds anchor words, random draws "
         "topics, anything else is the folder of a model with as many topics, or fewer."},
    CLI_SEED(FIELD(seed), "random topics"),
    {.name = "restarts",
     .type = CLI_COUNT,
     .value = "N",
     .offset = FIELD(restarts),
     .max = 999,
     .help = "Fit N more times, from random topics with the seeds after --seed, "
             "and keep the fit with the largest objective. No checkpoints are "
             "written then."},
    CLI_THREADS(FIELD(threads)),
    CLI_MAX_ITER(FIELD(max_iter)),
    {.name = "tol",
     .type = CLI_REAL,
     .value = "X",
     .offset = FIELD(tol),
     .of_library = true,
     .above = true,
     .max = 1,
     .help = "Stop when the objective changes by no more than this, relative to "
             "its size, and the topics' words by no more than a fifth of its "
             "square root."},
    {.name = "smooth",
     .type = CLI_REAL,
     .value = "X",
     .offset = FIELD(smooth),
     .of_library = true,
     .max = 1e6,
     .help = "Pseudo-count added to each term in each topic; 0 chooses 0.1, or less if "
             "together they would exceed 7 % of all words."},
    {.name = "shrink",
     .type = CLI_REAL,
     .value = "X",
     .offset = FIELD(shrink),
     .of_library = true,
     .max = 1,
     .help = "Shrink the covariance of topics towards its diagonal: 0 not at all, 1 "
             "completely."},
    {.name = "seeds",
     .type = CLI_PATH,
     .value = "FILE",
     .offset = FIELD(seeds),
     .help = "Words that topics should have: one line for each of the first "
             "topics, as in 'economy: tax budget deficit'. The other topics are "
             "found as usual."},
    {.name = "seed-weight",
     .type = CLI_REAL,
     .value = "X",
     .offset = FIELD(seed_weight),
     .of_library = true,
     .min = 0,
     .max = 1000,
     .help = "How much seeds count: together, those of a topic are worth X "
             "times the words that a topic has on average."},
    {.name = "fixed",
     .type = CLI_STRING,
     .value = "TOPICS",
     .offset = FIELD(fixed),
     .help = "With --init MODEL: topics of that model whose words stay as they "
             "are, as in 1,4,7 or all. -k may exceed the model's number of "
             "topics: the others are found beside them."},
    {.name = "labels",
     .type = CLI_PATH,
     .value = "FILE",
     .offset = FIELD(labels),
     .help = "Labels of topics, as 'topics label' takes them."},
    {.name = "diagonal",
     .offset = FIELD(diagonal),
     .help = "Give topics a diagonal covariance, for very large K."},
    {.name = "covariates",
     .type = CLI_PATH,
     .value = "FILE.csv",
     .offset = FIELD(covariates),
     .help = "A table of covariates, with a row for each document."},
    {.name = "formula",
     .type = CLI_STRING,
     .value = "FORMULA",
     .offset = FIELD(formula),
     .help = "Which covariates the prior mean of topics depends on: '~ section + year'."},
    {.name = "time",
     .type = CLI_STRING,
     .value = "COLUMN",
     .offset = FIELD(time),
     .help =
         "Let the words of topics drift over time, given by this column of --covariates: "
         "its values, in order, are the slices."},
    {.name = "slices",
     .type = CLI_COUNT,
     .value = "N",
     .offset = FIELD(slices),
     .min = 2,
     .max = 10000,
     .help = "With --time: divide the column's range into N even slices instead."},
    {.name = "drift",
     .type = CLI_REAL,
     .value = "X",
     .offset = FIELD(drift),
     .min = 0,
     .max = 1,
     .help = "With --time: the sd of a step of log probabilities from slice to slice, "
             "0.001 or more; without it, or with 0, it is estimated."},
    {.name = "content",
     .type = CLI_STRING,
     .value = "COLUMN",
     .offset = FIELD(content),
     .help = "Let the words of topics differ by group, as content does in stm: "
             "each value of this column of --covariates is a group."},
    CLI_DOCUMENT_COLUMN(FIELD(document)),
    CLI_MISSING_COVARIATES(FIELD(missing)),
    {.name = "ridge",
     .type = CLI_REAL,
     .value = "X",
     .offset = FIELD(ridge),
     .of_library = true,
     .max = 1e12,
     .help = "How strongly effects of covariates are shrunk towards 0, in documents' "
             "worth of evidence."},
    {.name = "online",
     .type = CLI_COUNT,
     .value = "N",
     .offset = FIELD(online),
     .max = 1000,
     .help = "Make N passes over the corpus in minibatches, each with an M step, before "
             "EM over all documents at once: with many documents, this reaches good "
             "topics sooner. With --max-iter 1, a single iteration of EM follows."},
    {.name = "checkpoint-every",
     .type = CLI_REAL,
     .value = "SECONDS",
     .offset = FIELD(every),
     .of_library = true,
     .max = 1e9,
     .help = "How often to write a checkpoint; 0 is after every iteration. Writing takes "
             "at most a tenth of the time."},
    {.name = "resume",
     .offset = FIELD(resume),
     .help = "Continue from the checkpoint in the folder; the result is the same, to the "
             "byte, as without the interruption."},
    CLI_JSON_SUMMARY(FIELD(json)),
    {.name = NULL},
};
