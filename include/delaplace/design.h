/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The design matrix that a formula makes from a table: columns of numbers, a response, an
 * offset, groups, random effects. The columns, their order and their names are those of
 * R's model.matrix with treatment contrasts: the first level of a factor is its
 * reference. Random effects are those of lme4's lFormula.
 */
#ifndef DELAPLACE_DESIGN_H
#define DELAPLACE_DESIGN_H

#include <delaplace/adjacency.h>
#include <delaplace/formula.h>
#include <delaplace/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The name of the column of ones. */
#define DLP_INTERCEPT "(Intercept)"

/* The levels of a categorical variable, in the order of their codes. */
typedef struct dlp_levels {
    const char *variable;
    dlp_index n; /* 0: the variable is not categorical */
    const char *const *level;
} dlp_levels;

/* scale(variable) is (variable - centre) / spread, with the constants of the fit. */
typedef struct dlp_scaling {
    const char *variable; /* as in the formula: "scale(x)" */
    double centre, spread;
} dlp_scaling;

/* Columns with powers of a variable, such as x and I(x^3), contain the powers of x -
   centre instead. */
typedef struct dlp_centre {
    const char *variable; /* a column of the table */
    double centre;
} dlp_centre;

/* What makes several columns, or nodes. */
typedef enum dlp_basis_kind {
    DLP_BASIS_NONE,
    DLP_BASIS_POLY,
    DLP_BASIS_RAW, /* poly(raw = TRUE) */
    DLP_BASIS_BS,
    DLP_BASIS_NS,
    /* smooths */
    DLP_BASIS_TP,
    DLP_BASIS_CR,
    DLP_BASIS_CC,
    DLP_BASIS_RW1,
    DLP_BASIS_RW2,
    DLP_BASIS_BESAG,
    /* processes */
    DLP_BASIS_AR1,
    DLP_BASIS_BYM2
} dlp_basis_kind;
/* "none", "poly", "raw", ...; NULL past the last. */
DLP_API const char *dlp_basis_name(int i);

/*
 * Several columns made from one or two variables, with the constants of the fit.
 * docs/file-formats.md says what knot and weight are for each kind.
 */
typedef struct dlp_basis {
    const char *variable; /* as in the formula: "ns(x, df = 3)" */
    dlp_basis_kind kind;
    dlp_index d;      /* how many variables it is made from: 1, or 2 for s(x, z) */
    dlp_index degree; /* of "poly", "raw" and "bs" */
    dlp_index columns;
    dlp_index fixed; /* the first `fixed` columns are not penalised. Only for s(); the
                        coefficients of the others share an sd */
    dlp_index n_knots;
    const double *knot; /* (n_knots, d) */
    dlp_index n_weights;
    const double *weight; /* (n_weights) */
    const char *of; /* its first variable: "x", "log(x)". Set in designs and copies of
                       terms; else NULL */
} dlp_basis;

/* Whether the values at its knots are random effects (dlp_random) instead of columns:
   true for ar1() and bym2(), and for walks and regions with more than 500 knots. Then
   only its straight part, if any, has columns. */
DLP_API int dlp_basis_is_process(const dlp_basis *basis);
/* Whether a process has a second number beside its sd: the correlation of ar1(), the share
   of bym2(). */
static inline int dlp_basis_has_second(const dlp_basis *process)
{
    return process->kind == DLP_BASIS_AR1 || process->kind == DLP_BASIS_BYM2;
}
/* Of ar1(): how many series its nodes form, one without groups; the series of node i, from
   0; and how far apart nodes are that have its correlation. */
DLP_API dlp_index dlp_basis_series(const dlp_basis *ar1);
static inline dlp_index dlp_basis_series_of(const dlp_basis *ar1, dlp_index i)
{
    return (dlp_index)ar1->weight[i];
}
static inline double dlp_basis_step(const dlp_basis *ar1)
{
    return ar1->weight[ar1->n_knots];
}
/* Whether its nodes are regions with neighbours. */
static inline int dlp_basis_is_regional(const dlp_basis *basis)
{
    return basis->kind == DLP_BASIS_BESAG || basis->kind == DLP_BASIS_BYM2;
}
/* Whether it is a random walk. */
static inline int dlp_basis_is_walk(const dlp_basis *basis)
{
    return basis->kind == DLP_BASIS_RW1 || basis->kind == DLP_BASIS_RW2;
}

/*
 * All that is needed to make the same columns from other data: plain strings and numbers,
 * which can be written to a file and read back. design->terms are those of a design; a
 * program that reads them from a file fills in a struct of its own.
 */
typedef struct dlp_terms {
    const char *formula; /* with '.' written out */
    dlp_levels response; /* variable: as in the formula, "cbind(s, f)"; NULL: none */
    dlp_levels group;    /* variable: the column; NULL without groups */
    dlp_index n_factors; /* the categorical variables of the terms, inside bars too */
    const dlp_levels *factor;
    dlp_index n_scalings; /* one for each scale() of the terms */
    const dlp_scaling *scaling;
    dlp_index n_groupings;      /* what random effects vary by; group is empty then */
    const dlp_levels *grouping; /* (n_groupings) each once, as dlp_random.group */
    dlp_index n_bases;          /* one for each poly(), ns(), bs() and s() */
    const dlp_basis *basis;
    const dlp_formula *parsed; /* the same formula, parsed; set in designs and copies.
                                  NULL: dlp_design_rebuild parses it each time */
    dlp_index n_centres; /* of variables too far from 0 for accurate powers; else 0 */
    const dlp_centre *centre;
} dlp_terms;

/* A copy that owns all it points to, with its formula parsed unless that is damaged. If
   terms is NULL, so is the copy. Released by dlp_terms_free. */
DLP_API dlp_status dlp_terms_copy(const dlp_terms *terms, dlp_terms **copy,
                                  dlp_error *error);
/* Frees what dlp_terms_copy made, and nothing else; NULL is fine. */
DLP_API void dlp_terms_free(dlp_terms *copy);

/* The largest k of the columns xk that the formula names, as svmlight files number them, for
   dlp_table_options.features when new data are read; 0: it names none. Fails if the formula
   is damaged. */
DLP_API dlp_status dlp_terms_features(const dlp_terms *terms, dlp_index *features,
                                      dlp_error *error);

typedef enum dlp_response_kind {
    DLP_RESPONSE_NONE,        /* the formula, or the table of a rebuilt design, has no
                                 response */
    DLP_RESPONSE_NUMERIC,     /* y */
    DLP_RESPONSE_BINOMIAL,    /* y successes in trials: cbind(successes, failures) */
    DLP_RESPONSE_CATEGORICAL, /* class_code, of terms->response */
    DLP_RESPONSE_CENSORED     /* between y and trials: Surv(time, status), tobit(y) */
} dlp_response_kind;

/* A variable of the terms: a column, or what the formula computes from columns. */
typedef struct dlp_variable {
    const char *label; /* as R writes it: "x", "I(x^2)", "factor(x)", "`my x`"; the
                          columns of a basis are variables of their own, "poly(x, 2)1",
                          each in a term of its own that is called "poly(x, 2)" */
    int is_function;   /* 1: a function of numbers, as I(x^2), log(x) and scale(x) are */
    dlp_index factor;  /* its levels are terms->factor[factor]; -1: numbers */
    dlp_index n_columns; /* columns of the table that it is computed from; 0 for I(2) */
    const dlp_index *column; /* (n_columns) in the order of the formula; I(x*x) has x
                                twice */
    int power; /* of its column: 1 for x, 3 for I(x^3); 0: none, or it is a factor */
} dlp_variable;

/*
 * Effects that vary by group: each level's effects are normal around zero, with one
 * covariance matrix for all levels, as in lme4's (1 + x | g). (x || g) becomes one such
 * term per effect, (1 | g) + (0 + x | g), and (1 | a/b) becomes two, (1 | a) + (1 | a:b).
 * They add the sum over j < q of x[j][i] u[code[i]][j] to the linear predictor of row i.
 */
typedef struct dlp_random {
    const char *label;       /* "1 + x | g", as lme4 names it */
    dlp_levels group;        /* variable: the column, or "a:b"; the levels of a:b are
                                those that occur, "a1:b2", in the order of a, then of b. A
                                ':' or a backslash in a level of a or b is preceded by a
                                backslash there, so that no two combinations have the same
                                name */
    const int32_t *code;     /* (N) index in group.level, -1: not seen by the fit. Terms
                                with the same grouping share one array */
    dlp_index q;             /* effects per level, at least 1 */
    const double *const *x;  /* (q) columns, each (N) */
    const char *const *name; /* (q) "(Intercept)", "x", "f2": as model.matrix names the
                                columns of the formula inside the bars */
    /* If levels are not independent but nodes of a process, with one effect each: its
       terms->basis, called "ar1(t | g)" as in the formula; NULL: levels are independent.
       `at` and `series` are each row's position and series (-1: one that the fit did not
       see); NULL if not known */
    const dlp_basis *process;
    const double *at;      /* (N) */
    const int32_t *series; /* (N) */
    /* The table's columns that group its rows, a and b for (1 | a:b) in this order; for a
       process, the column of its series. Columns that a table for predictions lacks are
       not counted */
    dlp_index n_columns;
    const dlp_index *column; /* (n_columns) */
    /* The table's columns in effect j: effect_column[effect_begin[j]], ... For
       (x + I(z^2) | g) none, then x, then z */
    const dlp_index *effect_begin; /* (q + 1) */
    const dlp_index *effect_column;
    const int *power; /* (q) of its column: 1 for x, 2 for I(z^2); 0: something else */
} dlp_random;

/*
 * A smooth term, s(x): its straight part has columns among those of the design; its
 * wiggly part has columns after them, whose coefficients share an sd. s(x, by = g)
 * becomes one smooth for each level of g. It sums to 0 over the rows of the fit, unless
 * `by` is a column of numbers.
 */
typedef struct dlp_smooth {
    const char *label; /* "s(x)", "s(x):ga", "s(x):z" */
    dlp_index basis;   /* terms->basis[basis] has its functions */
    const char *by;    /* what it is multiplied by: "g", "z"; NULL: nothing */
    dlp_index level;   /* of `by`; -1: `by` is numeric or NULL */
    dlp_index fixed,
        n_fixed;         /* its first column that is not penalised, and how many there
                            are; with a numeric `by`, the first is that of a constant */
    dlp_index first, n;  /* the same for its penalised columns */
    const double *at;    /* (N) the rows' values of its variable; NULL if it has two */
    const double *times; /* (N) what it is multiplied by in each row; NULL: 1 */
    const char *term;    /* "s(x)", without the part of the label that `by` adds */
} dlp_smooth;

/* x, y, trials, offset and weight fit the fields of dlp_glm_data. */
typedef struct dlp_design {
    dlp_index N;              /* rows used */
    dlp_index dropped;        /* rows left out because a variable is missing */
    const dlp_index *missing; /* (columns of the table) how many rows lack a value in that
                                 column; 0 for columns that the design does not use */
    dlp_index unseen;     /* rows left out because they have a level that the fit did not
                             see */
    const dlp_index *row; /* (N) the table's row of each, from 0; NULL: all, in order */

    dlp_index p;             /* columns; with options.random those of fixed effects, 0 if
                                there are only random effects */
    const double *const *x;  /* (p) columns, each (N) */
    const char *const *name; /* (p) "(Intercept)", "x1", "school2", "x1:school2" */
    dlp_index intercept;     /* the column of ones, or -1 */
    dlp_index n_terms;       /* terms, not counting the intercept */
    const char *const *term; /* (n_terms) "x1", "school", "x1:school" */
    const dlp_index *assign; /* (p) the term that a column belongs to; -1: the
                                intercept */

    dlp_response_kind response;
    const double *y;      /* (N) numeric: the response; binomial: successes; censored: its
                             lower limit, -infinity: none */
    const double *trials; /* (N) binomial: trials; censored: the upper limit, infinity:
                             none; equal to y where the response is known exactly */
    const int32_t *class_code; /* (N) categorical: index in terms->response.level */

    const double *offset; /* (N) the sum of the offsets; NULL: none */
    const double *weight; /* (N) of options.weight, 0 or more; NULL: none */
    const int32_t *group; /* (N) index in terms->group.level, -1: not seen by the fit, so
                             the mean of all groups is used; NULL without groups */
    const dlp_terms *terms; /* for dlp_design_rebuild; the design owns them */

    /* What terms and columns are made from, so that no label needs to be parsed. */
    dlp_index n_variables;
    const dlp_variable *variable;   /* (n_variables) in the order of the formula */
    const dlp_index *term_begin;    /* (n_terms + 1) the variables of term t are */
    const dlp_index *term_variable; /*     term_variable[term_begin[t]], ..., ascending */
    const dlp_index *const *level;  /* (p) for each variable of the column's term, the
                                       level that the column stands for; -1: numeric. NULL
                                       for the intercept */
    const int32_t *const *code; /* (n_variables) for a factor, each row's level (N); NULL:
                                   numeric */
    const double *const *value; /* (n_variables) for a numeric variable, each row's value
                                   (N); NULL: a factor */

    /* With options.random. x and the fields above then describe the terms outside
       bars. */
    dlp_index n_random;
    const dlp_random *random; /* (n_random) in the order of the formula */

    /* Also with options.random: the penalised columns of smooths follow the p others in x
       and name, and are not counted in p. */
    dlp_index n_penalised;
    dlp_index n_smooths;
    const dlp_smooth *smooth;       /* (n_smooths) */
    const double *precision;        /* (N) of options.precision; NULL: none */
    const dlp_index *factor_column; /* (terms->n_factors) the table's column that each
                                       factor is made from, directly or by factor(); -1:
                                       none, for example the nodes of a process */
    dlp_index n_offset_columns;
    const dlp_index *offset_column; /* (n_offset_columns) columns of the table used in
                                       offsets */
    int has_limits;                 /* the response is tobit(), not Surv() */
    struct dlpi_division *division; /* the library's own; NULL: few rows */
} dlp_design;

/* What to do with a level that the fit did not see. */
typedef enum dlp_unseen {
    DLP_UNSEEN_ERROR,      /* refuse the table, with the level and its row */
    DLP_UNSEEN_DROP,       /* leave the row out and count it */
    DLP_UNSEEN_POPULATION, /* for groups only: code -1, the mean of all groups */
    DLP_UNSEEN_AUTO /* for groups in predictions only: the population if the fit is a
                       mixed model, else an error */
} dlp_unseen;

/* The reference level of a factor, with which the others are compared. */
typedef struct dlp_reference {
    const char *column; /* of the table, or as in the formula: "factor(x)" */
    const char *level;
} dlp_reference;

/* Why a table was refused, where a program may do something about it. */
typedef enum dlp_design_problem_kind {
    DLP_PROBLEM_OTHER, /* see the message, or the call succeeded */
    DLP_PROBLEM_MISSING,
    DLP_PROBLEM_UNSEEN_LEVEL, /* of a term or of the response */
    DLP_PROBLEM_UNSEEN_GROUP
} dlp_design_problem_kind;

typedef struct dlp_design_problem {
    dlp_design_problem_kind kind;
    dlp_index column; /* of the table; the first for a combination a:b; -1 for
                         DLP_PROBLEM_OTHER */
    dlp_index row;    /* the first row with the problem, from 0; -1 for
                         DLP_PROBLEM_OTHER */
} dlp_design_problem;

typedef struct dlp_design_options {
    size_t size;             /* set by dlp_design_options_default */
    const char *group;       /* build: every term varies by this column, as if the right
                                side were inside (... | group); NULL: as the formula
                                says */
    const char *weight;      /* the column of weights, numbers from 0; NULL: none */
    int missing_is_error;    /* 1: a missing value is an error; 0: its row is left out */
    dlp_unseen unseen_level; /* rebuild: levels of terms and of the response */
    dlp_unseen unseen_group; /* rebuild: levels of the group, and of groupings */
    int response_is_factor;  /* build: 1 treats a column of numbers on the left side as
                                categories, in numerical order, as factor() does */
    int skip_response;       /* rebuild: 1 ignores the response, for predictions; 0 reads
                                it if the table has its columns */

    /* (rows) 0: ignore the row, as if the table did not have it; NULL: all count */
    const unsigned char *keep;
    /* Filled in when the call fails, for programs that give advice of their own; the
       message then leaves advice out. NULL: not wanted */
    dlp_design_problem *problem;

    /* build: reference levels of factors; those of other factors are their first level,
       by number or by alphabet */
    dlp_index n_references;
    const dlp_reference *reference; /* (n_references) */
    int constant_response; /* build: 1 accepts a cbind() without any success, or without
                              any failure; 2 also numbers that are all the same. A
                              regression of counts still has a posterior then, if its
                              prior is proper */

    /* build: 1 reads bars as random effects, as lme4 does, and s() as smooths, as mgcv
       does; `group` must be NULL then. A rebuilt design has them if the fit did */
    int random;
    int skip_groupings; /* rebuild: 1 ignores the groupings of random effects: each row
                           counts as having levels that the fit did not see */
    /* build: the neighbours for besag() and bym2(); NULL: none */
    const dlp_adjacency *adjacency;
    const char *precision; /* the column of precisions, positive numbers; NULL: none */
    /* build: columns of the table whose powers are taken about a centre other than 0 */
    dlp_index n_centres;
    const dlp_centre *centre; /* (n_centres) */
} dlp_design_options;

/* All zeros: rows with missing values are left out, unseen levels are errors. */
DLP_API void dlp_design_options_init(dlp_design_options *options, size_t size);
static inline dlp_design_options dlp_design_options_default(void)
{
    dlp_design_options options;
    dlp_design_options_init(&options, sizeof options);
    return options;
}

/*
 * The design of a formula for a table. The table must outlive it: numeric columns that
 * the formula uses unchanged, if no row is left out, are the table's own, not copies.
 * Takes O(N p) time. On failure *design is NULL and the error names the place in the
 * formula, or the column, row (counted from 1) and value. options may be NULL.
 *
 * Refused, since no fit could use them: a constant response (unless the options allow
 * one), no columns, no rows, a factor with one level, infinite values, log(x) where x <=
 * 0. Also refused, unless written with factor(), is a column of categories of which 9 in
 * 10 values are numbers, at least 10 of them distinct: most likely a numeric column with
 * a typing error. A factor has the levels that occur in the rows used. '.' excludes the
 * columns of the response, the group and the weights.
 *
 * Every term inside (... | g) varies by g, around a mean that the groups share. Only one
 * such term is allowed, it groups by one column, and terms outside it must also appear
 * inside. An intercept outside counts only if it is written or there are other terms
 * outside.
 *
 * With options->random, bars are random effects: (1 | g), (x | g), (0 + x | g), (x || g),
 * (1 | a:b), (1 | a/b), any number of them beside any terms outside, which have an
 * intercept unless 0 + removes it. A grouping is a column of categories or of whole
 * numbers, or factor(g) of any column. Refused are a grouping with one level, a grouping
 * that is the response, an effect that varies by the same groups in two terms, and a
 * column that varies by its own levels. Takes O(N q) more time and memory.
 */
DLP_API dlp_status dlp_design_build(const dlp_formula *formula, const dlp_table *table,
                                    const dlp_design_options *options,
                                    dlp_design **design, dlp_error *error);

/* The same columns as in the fit, from other data. Where the fit saw categories, a column
   of numbers will do if, as text, they are its levels; where it saw numbers, categories
   will not. The table must outlive the design; on failure *design is NULL. */
DLP_API dlp_status dlp_design_rebuild(const dlp_terms *terms, const dlp_table *table,
                                      const dlp_design_options *options,
                                      dlp_design **design, dlp_error *error);

DLP_API void dlp_design_free(dlp_design *design); /* NULL is fine */

/* Where a term is 0, which decides what the intercept means. */
typedef enum dlp_term_zero {
    DLP_ZERO_NOWHERE, /* a factor, or an interaction */
    DLP_ZERO_BY_FIT,  /* where the rows of the fit put it: scale(x), poly(x, 2) */
    DLP_ZERO_OWN      /* x, log(x): may be far from every row */
} dlp_term_zero;
DLP_API dlp_term_zero dlp_design_term_zero(const dlp_design *design, dlp_index t);

#ifdef __cplusplus
}
#endif

#endif
