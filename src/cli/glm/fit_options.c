/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/glm/fit_options.h"

#include "cli/glm/intervals.h"

#include "cli/common_options.h"
#include "cli/glm/source.h"

#include <string.h>

/* ---- words for choices ---- */

static const char *groups_name(int i)
{
    return i + 1 < DLP_UNGROUPED ? dlp_grouping_name(i + 1) : NULL; /* those to ask for */
}

static const char *family_name(int i)
{
    return dlp_family_at(i) ? dlp_family_at(i)->name : NULL;
}

/* Whether no earlier (family, link) pair has the k-th link of this family. */
static bool is_first(int family, int k)
{
    const char *link = dlp_family_at(family)->link[k];
    for (int f = 0; f < family; f++)
        for (int i = 0; dlp_family_at(f)->link[i]; i++)
            if (!strcmp(dlp_family_at(f)->link[i], link)) return false;
    return true;
}

/* The links of all families, without duplicates. */
static const char *link_name(int i)
{
    for (int f = 0; dlp_family_at(f); f++)
        for (int k = 0; dlp_family_at(f)->link[k]; k++)
            if (is_first(f, k) && i-- == 0) return dlp_family_at(f)->link[k];
    return NULL;
}

/* The library knows what R packages call families. */
static const char *family_synonym(const char *typed)
{
    const dlp_family *family = dlp_family_find(typed);
    return family ? family->name : NULL;
}

static const char *hyper_name(int i)
{
    return dlp_hyper_name(i + 1); /* those to ask for */
}

static const char *hyperprior_name(int i)
{
    static const char *const names[] = {"weak", "paper", NULL};
    return names[i];
}

static const char *sigma0_update_name(int i)
{
    static const char *const names[] = {"corrected", "paper", NULL};
    return names[i];
}

static const char *scale_name(int i)
{
    static const char *const names[] = {"shared", "by-group", NULL};
    return names[i];
}

/* ---- the tables ---- */

#define FIELD(name) offsetof(cli_glm_fit_settings, name)

static const char *usual_method(void)
{
    return dlp_regression_settings_default().method;
}

const cli_operand cli_glm_fit_operands[] = {
    {.name = "FORMULA",
     .offset = FIELD(formula),
     .sign = '~',
     .quoted = "put the formula in quotes: 'y ~ x'",
     .help = "The model as R writes it, in quotes: 'y ~ x1 + x2', 'y ~ . - id', "
             "'cbind(won, lost) ~ x', 'Surv(time, status) ~ x', 'y ~ log(x) * group + "
             "offset(z)', "
             "'y ~ x + (1 + x | school)'."},
    {.name = NULL},
};

const cli_option cli_glm_fit_options[] = {
    {.name = "data",
     .letter = 'd',
     .type = CLI_PATH,
     .value = "FILE",
     .offset = FIELD(data),
     .required = true,
     .help = "The table: CSV, TSV, ARFF or svmlight, which may be compressed by gzip, "
             "zstd or xz; - is standard input."},
    CLI_FIT_OUTPUT(FIELD(output)),
    {.name = "family",
     .type = CLI_CHOICE,
     .value = "FAMILY",
     .offset = FIELD(family),
     .choices = family_name,
     .synonym = family_synonym,
     .help =
         "The distribution of the response. Without it: bernoulli for two levels or 0 "
         "and 1, binomial for cbind(), weibull for Surv(), tobit for tobit(), "
         "multinomial for more levels, else gaussian."},
    {.name = "link",
     .type = CLI_CHOICE,
     .value = "LINK",
     .offset = FIELD(link),
     .choices = link_name,
     .help = "The link function. Without it: the family's usual one."},
    {.name = "df",
     .type = CLI_REAL,
     .value = "NU",
     .offset = FIELD(df),
     .above = true,
     .max = 1e9,
     .help = "The degrees of freedom of family student, held fixed; smaller values give "
             "outliers less influence. Without it they are integrated over, from 1 to "
             "64; with groups or random effects, they are 4."},
    {.name = "levels",
     .type = CLI_STRING,
     .value = "A,B,...",
     .offset = FIELD(levels),
     .help = "The order of the response's levels: for ordinal from low to high; "
             "otherwise the first is the reference. Put a level that contains a comma in "
             "double quotes. Without it: "
             "numeric "
             "or alphabetical order."},
    {.name = "reference",
     .type = CLI_STRING,
     .value = "COLUMN=LEVEL",
     .offset = FIELD(references),
     .help = "The reference level of a categorical column; for several columns A=X,B=Y. "
             "Without it: the first in numeric or alphabetical order."},
    {.name = "method",
     .type = CLI_CHOICE,
     .value = "METHOD",
     .offset = FIELD(method),
     .choices = dlp_regression_method,
     .usual = usual_method,
     .help =
         "How the posterior is approximated. laplace: a Gaussian at its mode. delta: a "
         "Gaussian near its mean, usually closer to sampling. jaakkola-jordan: a lower "
         "bound, for link logit. previous-mean: an expansion at the previous iteration's "
         "mean, for comparison. auto: delta, or expectation propagation where there are "
         "few rows per column. For a mixed model, laplace also applies to the random "
         "effects, which are otherwise integrated by quadrature where possible."},
    {.name = "adjacency",
     .type = CLI_PATH,
     .value = "FILE",
     .offset = FIELD(adjacency),
     .help = "Which regions are neighbours, for besag(region) and bym2(region) in the "
             "formula: lines "
             "'region neighbour neighbour ...', or pairs 'region,neighbour'."},
    {.name = "prior-sd",
     .type = CLI_REAL,
     .value = "S",
     .offset = FIELD(prior_sd),
     .above = true,
     .max = DLP_GLM_LARGEST,
     .help = "The prior of every coefficient, including the intercept, is N(0, S^2); the "
             "paper's S is 1. Without it, a weak prior on the scale of each column: sd "
             "2.5 for a change of one sd in the column (for an indicator, from one value "
             "to the other) and for the mean at each level of a factor, less with many "
             "columns; for gaussian, in sds of the response. It is wider for the "
             "intercept, and the same whichever levels are the references."},
    {.name = "intercept-sd",
     .type = CLI_REAL,
     .value = "S",
     .offset = FIELD(intercept_sd),
     .above = true,
     .max = DLP_GLM_LARGEST,
     .help = "The prior sd of the intercept, if it is to differ; for an ordinal "
             "response, that of the first cut point at the means of the "
             "columns, whose default is 10."},
    {.name = "prior-df",
     .type = CLI_REAL,
     .value = "NU",
     .offset = FIELD(prior_df),
     .above = true,
     .max = 1e9,
     .help =
         "Make the prior a Student-t with this many degrees of freedom, scaled by S."},
    {.name = "prior-file",
     .type = CLI_PATH,
     .value = "FILE",
     .offset = FIELD(prior_file),
     .help = "A CSV file with priors for some of the terms: columns term, and mean, sd "
             "and df as needed. The other options apply to terms that it does not list."},
    {.name = "prior-covariance",
     .type = CLI_PATH,
     .value = "FILE",
     .offset = FIELD(prior_covariance),
     .help = "A CSV file with the prior covariance of all coefficients, its columns "
             "named like them. Their means are 0, or those of --prior-file."},
    {.name = "prior",
     .type = CLI_LIST,
     .value = "PRIOR",
     .offset = FIELD(priors),
     .help =
         "A prior for some parameters: 'sd(g) ~ "
         "exponential(1)' for the sds between levels of g, 'sd(g, x) ~ half_normal(2)' "
         "for one effect, 'sd(s(x)) ~ exponential(1)' for a smooth, a walk or a process, "
         "'cor(g) ~ lkj(2)' for correlations, also of ar1(t | g), 'share(bym2(r)) ~ "
         "beta(1, 1)' for the share of neighbours, 'b(x) ~ normal(0, 2)' for the "
         "coefficients of a term or column. For sds also half_t(DF, SCALE), "
         "half_cauchy(SCALE), uniform(FROM, TO), pc(U, ALPHA), which is P(sd > U) = "
         "ALPHA, lognormal(MEAN, SD) and fixed(VALUE); for coefficients also student_t(DF, MEAN, SCALE). "
         "Without brackets, as in 'sd ~ ...', it applies to all, and the more specific "
         "prior wins. Without it, sds are half_t(3, 2.5) and coefficients normal in the "
         "units of column and response, correlations lkj(1)."},
    {.name = "hyper",
     .type = CLI_CHOICE,
     .value = "HOW",
     .offset = FIELD(hyper),
     .choices = hyper_name,
     .help = "How the sds and correlations between levels, and the scale, are treated. "
             "integrate: they are integrated over, so that their uncertainty is in every "
             "interval. map: they are fixed at their mode, which is faster and "
             "understates uncertainty. factor: the paper's hierarchy, as with --groups "
             "hierarchical. Without it: integrate for a mixed model."},
    {.name = "group",
     .type = CLI_STRING,
     .value = "COLUMN",
     .offset = FIELD(group),
     .help = "The column of groups: every coefficient varies by group. To let only some "
             "vary, use bars in the formula instead: '... + (1 + x | COLUMN)'."},
    {.name = "weights",
     .type = CLI_STRING,
     .value = "COLUMN",
     .offset = FIELD(weights),
     .help = "The column of weights: a row of weight 3 counts as three rows, a row of "
             "weight 0 not at all."},
    {.name = "precision",
     .type = CLI_STRING,
     .value = "COLUMN",
     .offset = FIELD(precision),
     .help =
         "The column of precisions, like the weights of R's lm: the variance of a row "
         "around its mean is the common variance divided by this. For gaussian, "
         "student and tobit, "
         "without groups."},
    {.name = "trials",
     .type = CLI_STRING,
     .value = "COLUMN",
     .offset = FIELD(trials),
     .help = "The column of trials: the response is the share of successes in them, as "
             "with R's glm and weights; cbind(won, lost) does the same with counts."},
    {.name = "groups",
     .type = CLI_CHOICE,
     .value = "HOW",
     .offset = FIELD(groups),
     .choices = groups_name,
     .help =
         "mixed: one regression, with random effects for the terms in bars, as in lme4; "
         "hierarchical: a regression for each group, with a prior learned from all of "
         "them, as in the paper; separate: each group on its own; pooled: one regression "
         "for all. Without it: mixed for bars in the formula, hierarchical for --group."},
    {.name = "sigma0-update",
     .type = CLI_CHOICE,
     .value = "HOW",
     .offset = FIELD(sigma0_update),
     .choices = sigma0_update_name,
     .help = "How the covariance between groups is estimated: corrected includes each "
             "group's own uncertainty, which the published paper omits. Without it: "
             "corrected."},
    {.name = "scale",
     .type = CLI_CHOICE,
     .value = "HOW",
     .offset = FIELD(scale),
     .choices = scale_name,
     .help = "The sd of a gaussian, shape of a gamma or size of a negative binomial "
             "hierarchy: one for all groups, as in lme4, or one for each, which needs "
             "enough rows in each to estimate it. Without it: shared."},
    {.name = "hyperprior",
     .type = CLI_CHOICE,
     .value = "WHICH",
     .offset = FIELD(hyperprior),
     .choices = hyperprior_name,
     .help = "What is assumed about the prior that the groups share. weak: little, on "
             "the scale of each column's sd, so that the groups decide. paper: mean near "
             "0 and covariance near I, in the units of the columns. Without it: weak. "
             "--nu, --phi0 and --phi1 set it by numbers."},
    {.name = "nu",
     .type = CLI_REAL,
     .value = "X",
     .offset = FIELD(nu),
     .above = true,
     .max = 1e9,
     .help = "Sigma0^-1 ~ Wishart(NU, PHI0 I). Without it: 2 more than the number of "
             "parameters in a group; for --hyperprior paper 100 more."},
    {.name = "phi0",
     .type = CLI_REAL,
     .value = "X",
     .offset = FIELD(phi0),
     .above = true,
     .max = 1e150,
     .help =
         "The scale of the Wishart: a priori Sigma0 is near I / (NU PHI0). Without it: "
         "100 over the square of the number of parameters in a group, at least 1; for "
         "gaussian 100, with a standardised response; for --hyperprior paper 0.01."},
    {.name = "phi1",
     .type = CLI_REAL,
     .value = "X",
     .offset = FIELD(phi1),
     .above = true,
     .max = 1e150,
     .help = "mu0 ~ N(0, PHI1 I). Without it: 100; for --hyperprior paper 0.01."},
    CLI_MISSING(FIELD(missing),
                "Rows with missing values in the formula's columns: drop and count them, "
                "or reject the table."),
    CLI_TABLE_FORMAT(FIELD(format)),
    CLI_TABLE_ENCODING(FIELD(encoding)),
    {.name = "tol",
     .type = CLI_REAL,
     .value = "X",
     .offset = FIELD(tol),
     .above = true,
     .max = 1,
     .help = "Stop when the posterior mean (of a hierarchy: mu0 and Sigma0) moves by no "
             "more than this, relative to its norm. Without it: 1e-8 (1e-6)."},
    {.name = "max-iter",
     .type = CLI_COUNT,
     .value = "N",
     .offset = FIELD(max_iter),
     .min = 1,
     .max = DLP_MOST_ITERATIONS,
     .help = "Stop after at most this many iterations. Without it: 1000 (500)."},
    CLI_THREADS(FIELD(threads)),
    {.name = "verify",
     .offset = FIELD(verify),
     .help =
         "Check the fit against the posterior by importance sampling, and mark every "
         "number that is off by more than 0.1 sd. 'glm check' does the same later. A "
         "regression without groups is checked anyway where that takes a few hundredths "
         "of a second. Of a hierarchy: the groups' coefficients."},
    {.name = "no-grades",
     .offset = FIELD(no_grades),
     .help = "Do not check the fit if --verify does not ask for it."},
    CLI_LEVEL(FIELD(level)),
    {.name = "exp",
     .offset = FIELD(exponentiate),
     .help = "Show exponentiated coefficients in the summary: odds ratios with a logit "
             "link, ratios of means or rates with a log link."},
    CLI_JSON_SUMMARY(FIELD(json)),
    {.name = NULL},
};
