/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a formula makes of a table: columns of numbers, a response, an offset, groups,
 * random effects. The columns, their order and their names are those of R's model.matrix
 * with treatment contrasts: the first level of a factor is its reference. Random effects
 * are those of lme4's lFormula.
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

/* Columns with powers of a variable, x and I(x^3), have those of x - centre in their place. */
typedef struct dlp_centre {
    const char *variable; /* a column of the table */
    double centre;
} dlp_centre;

/*
 * Several columns made of one or two variables, with the constants of the fit: what knot and
 * weight are is said in docs/file-formats.md, kind by kind.
 */
typedef struct dlp_basis {
    const char *variable; /* as in the formula: "ns(x, df = 3)" */
    const char *kind;     /* "poly", "raw", "bs", "ns"; of smooths: "tp", "cr", "cc",
                             "rw1", "rw2", "besag"; of processes: "ar1", "bym2" */
    dlp_index d;          /* variables that it is of: 1, or of s(x, z) 2 */
    dlp_index degree;     /* of "poly", "raw" and "bs" */
    dlp_index columns;
    dlp_index fixed; /* as many of them, the first, are not penalised; of s() alone, the
                        coefficients of the others share an sd */
    dlp_index n_knots;
    const double *knot; /* (n_knots, d) */
    dlp_index n_weights;
    const double *weight; /* (n_weights) */
    const char
        *of; /* what it is of, the first: "x", "log(x)". Designs and copies of terms
                             have it; else NULL */
} dlp_basis;

/* Whether it has no columns, or straight ones alone, since the values at its knots are those of
   a process: of ar1() and bym2(), and of walks and regions with more than 500. They are random
   effects, dlp_random. */
DLP_API int dlp_basis_is_process(const dlp_basis *basis);

/*
 * All that is needed to make the same columns from other data: plain strings and numbers,
 * to be written to a file and read back. design->terms shows those of a design; a program
 * that reads them from a file fills in a struct of its own.
 */
typedef struct dlp_terms {
    const char *formula; /* with '.' written out */
    dlp_levels response; /* variable: as in the formula, "cbind(s, f)"; NULL: none */
    dlp_levels group;    /* variable: the column, NULL without groups */
    dlp_index n_factors; /* the categorical variables of the terms, inside bars too */
    const dlp_levels *factor;
    dlp_index n_scalings; /* one for each scale() of the terms */
    const dlp_scaling *scaling;
    dlp_index n_groupings;      /* what random effects vary by; group is empty then */
    const dlp_levels *grouping; /* (n_groupings) each once, as dlp_random.group */
    dlp_index n_bases;          /* one for each poly(), ns(), bs() and s() */
    const dlp_basis *basis;
    const dlp_formula
        *parsed;         /* the same formula, parsed, which designs and copies have; NULL:
                                  dlp_design_rebuild parses it, each time */
    dlp_index n_centres; /* where powers lie too far from 0 for their digits, else 0 */
    const dlp_centre *centre;
} dlp_terms;

/* A copy that owns all it points to, with its formula parsed unless that is damaged. NULL for
   terms gives NULL. */
DLP_API dlp_status dlp_terms_copy(const dlp_terms *terms, dlp_terms **copy,
                                  dlp_error *error);
/* Frees what dlp_terms_copy made, and nothing else; NULL is fine. */
DLP_API void dlp_terms_free(dlp_terms *copy);

/* dlp_formula_features of the terms' formula, for dlp_table_options.features of new data;
   fails where the formula is damaged. */
DLP_API dlp_status dlp_terms_features(const dlp_terms *terms, dlp_index *features,
                                      dlp_error *error);

typedef enum dlp_response_kind {
    DLP_RESPONSE_NONE, /* the formula, or the table of a rebuilt design, has no response */
    DLP_RESPONSE_NUMERIC,     /* y */
    DLP_RESPONSE_BINOMIAL,    /* y successes out of trials: cbind(successes, failures) */
    DLP_RESPONSE_CATEGORICAL, /* class_code, of terms->response */
    DLP_RESPONSE_CENSORED     /* from y to trials: Surv(time, status), tobit(y) */
} dlp_response_kind;

/* A variable of the terms: a column, or what the formula computes of some. */
typedef struct dlp_variable {
    const char
        *label;       /* as R writes it: "x", "I(x^2)", "factor(x)", "`my x`"; the columns
                            of a basis are variables of their own, "poly(x, 2)1", each in a
                            term of its own that is called "poly(x, 2)" */
    int is_function;  /* 1: of numbers, as I(x^2), log(x) and scale(x) are */
    dlp_index factor; /* its levels are terms->factor[factor]; -1: numbers */
    dlp_index n_columns; /* columns of the table that it is computed from; 0 for I(2) */
    const dlp_index
        *column; /* (n_columns) in the order of the text; I(x*x) has x twice */
    int power;   /* of its column: 1 of x, 3 of I(x^3); 0: none, or it is a factor */
} dlp_variable;

/*
 * Effects that vary by group, each level's drawn around zero with one covariance matrix:
 * what lme4 makes of one term (1 + x | g). (x || g) makes one of each of its terms,
 * (1 | g) + (0 + x | g), and (1 | a/b) two, (1 | a) + (1 | a:b). To the linear predictor
 * of row i they add the sum over j < q of x[j][i] u[code[i]][j].
 */
typedef struct dlp_random {
    const char *label;       /* "1 + x | g", as lme4 names it */
    dlp_levels group;        /* variable: the column, or "a:b"; levels of a:b are those
                                that occur, "a1:b2", by the order of a, then of b. A ':' or
                                a backslash in a level of a or b has a backslash before it
                                there, so that no two combinations have one name */
    const int32_t *code;     /* (N) index in group.level, -1: not seen in the fit. Of two
                                terms with the same grouping it is the same array */
    dlp_index q;             /* effects per level, at least 1 */
    const double *const *x;  /* (q) columns, each (N) */
    const char *const *name; /* (q) "(Intercept)", "x", "f2": as model.matrix names the
                                columns of the formula inside the bars */
    /* Where levels are not independent: terms->basis of the process whose nodes they are, one
       effect each, called "ar1(t | g)" as the formula has it; NULL: they are. Then, of the
       rows, where they are and of which series, -1: one that the fit did not see; NULL where
       that is not known */
    const dlp_basis *process;
    const double *at;      /* (N) */
    const int32_t *series; /* (N) */
    /* The table's columns that group its rows, those of (1 | a:b) in this order; of a process,
       that of its series. Those that a table for predictions does not have are not counted */
    dlp_index n_columns;
    const dlp_index *column; /* (n_columns) */
    dlp_index n_effect_columns;
    const dlp_index
        *effect_column; /* (n_effect_columns) and those in what varies, x and z of
                                       (x + I(z^2) | g) */
} dlp_random;

/*
 * A smooth term, s(x): its straight part has columns among those of the design, its wiggly
 * part columns behind them, whose coefficients share an sd. Of s(x, by = g) there is one for
 * each level of g. Over the rows of the fit it sums to 0, unless by is a column of numbers.
 */
typedef struct dlp_smooth {
    const char *label; /* "s(x)", "s(x):ga", "s(x):z" */
    dlp_index basis;   /* terms->basis[basis] has its functions */
    const char *by;    /* what it is multiplied by: "g", "z"; NULL: nothing */
    dlp_index level;   /* of by; -1: numbers, or nothing */
    dlp_index fixed,
        n_fixed;         /* the first of its columns that are not penalised; by numbers,
                                the first of them is of a constant */
    dlp_index first, n;  /* and of those that are */
    const double *at;    /* (N) where rows are, of one variable; else NULL */
    const double *times; /* (N) and by what it is multiplied there; NULL: 1 */
    const char *term;    /* "s(x)" of all that label says of it */
} dlp_smooth;

/* x, y, trials, offset and weight fit the fields of dlp_glm_data. */
typedef struct dlp_design {
    dlp_index N;              /* rows used */
    dlp_index dropped;        /* rows left out because a variable is missing */
    const dlp_index *missing; /* (columns of the table) how many rows that count miss its
                                 value; 0 of columns that the design does not use */
    dlp_index unseen; /* rows left out because the fit did not see a level of theirs */
    const dlp_index *row; /* (N) the table's row of each, from 0; NULL: all, in order */

    dlp_index p;             /* columns; of fixed effects where options.random is set, and
                                then 0 where there are random effects and nothing else */
    const double *const *x;  /* (p) columns, each (N) */
    const char *const *name; /* (p) "(Intercept)", "x1", "school2", "x1:school2" */
    dlp_index intercept;     /* the column of ones, or -1 */
    dlp_index n_terms;       /* without the intercept */
    const char *const *term; /* (n_terms) "x1", "school", "x1:school" */
    const dlp_index
        *assign; /* (p) the term that a column belongs to; -1: the intercept */

    dlp_response_kind response;
    const double *y;      /* (N) numeric: the response; binomial: successes; censored:
                                  the lower end of where it is, -infinity: none */
    const double *trials; /* (N) binomial; censored: the upper end, infinity: none; y
                                  itself where it is known */
    const int32_t *class_code; /* (N) categorical: index in terms->response.level */

    const double *offset; /* (N) the sum of the offsets; NULL without */
    const double *weight; /* (N) of options.weight, 0 or more; NULL without */
    const int32_t *group; /* (N) index in terms->group.level, -1: not seen in the fit, so
                             at the mean of all groups; NULL without groups */
    const dlp_terms *terms; /* for dlp_design_rebuild; the design owns them */

    /* What terms and columns are made of, so that no label need be read. */
    dlp_index n_variables;
    const dlp_variable *variable;   /* (n_variables) in the order of the formula */
    const dlp_index *term_begin;    /* (n_terms + 1) the variables of term t are */
    const dlp_index *term_variable; /*     term_variable[term_begin[t]], ..., ascending */
    const dlp_index *const *level;  /* (p) of each variable of the column's term the level
                                       that the column is of; -1: numbers. NULL of the
                                       intercept */
    const int32_t *const *code; /* (n_variables) of a factor, each row's level (N); NULL:
                                   numbers */
    const double *const
        *value; /* (n_variables) of numbers, each row's (N); NULL: a factor */

    /* Of options.random. What x and the fields above say is of the terms outside bars. */
    dlp_index n_random;
    const dlp_random *random; /* (n_random) in the order of the formula */

    /* Of options.random too: the columns of smooths whose coefficients share an sd stand in x
       and name behind the p others, and are not counted by p. */
    dlp_index n_penalised;
    dlp_index n_smooths;
    const dlp_smooth *smooth; /* (n_smooths) */
    const double *precision;  /* (N) of options.precision; NULL without */
    const dlp_index
        *factor_column; /* (terms->n_factors) the table's column that each is, as it
                                       stands or in factor(); -1: it is something else's, a
                                       process's */
    dlp_index n_offset_columns;
    const dlp_index *offset_column; /* (n_offset_columns) of the table, in offsets */
    int has_limits;                 /* the response is tobit(), not Surv() */
} dlp_design;

/* What to do with a level that the fit did not see. */
typedef enum dlp_unseen {
    DLP_UNSEEN_ERROR,      /* refuse the table, with the level and its row */
    DLP_UNSEEN_DROP,       /* leave the row out and count it */
    DLP_UNSEEN_POPULATION, /* groups only: code -1 */
    DLP_UNSEEN_AUTO /* groups of predictions only: as the population where the fit is
                              a mixed model, else an error */
} dlp_unseen;

/* The level of a factor that comes first, so that the others are compared with it. */
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
    dlp_index column; /* of the table; of a combination a:b the first; -1 of
                         DLP_PROBLEM_OTHER */
    dlp_index row;    /* the first row that has it, from 0; -1 of DLP_PROBLEM_OTHER */
} dlp_design_problem;

typedef struct dlp_design_options {
    size_t size;             /* set by dlp_design_options_default */
    const char *group;       /* build: every term varies by this column, as if the right
                                side stood in (... | group); NULL: as the formula says */
    const char *weight;      /* the column of weights, numbers from 0; NULL: none */
    int missing_is_error;    /* 1: a missing value is an error; 0: its row is left out */
    dlp_unseen unseen_level; /* rebuild: levels of terms and of the response */
    dlp_unseen unseen_group; /* rebuild: levels of the group, and of groupings */
    int response_is_factor;  /* build: 1 takes a column of numbers on the left side for
                                categories, in their order, as factor() does */
    int skip_response;       /* rebuild: 1 does not look at the response, to predict it;
                                0 reads it where the table has its columns */

    /* (rows) 0: the row does not count, as if the table had it not; NULL: all count */
    const unsigned char *keep;
    /* Filled in when the call fails, for programs that have advice of their own, which the
       message then leaves out; NULL: not wanted */
    dlp_design_problem *problem;

    /* build: of factors of the terms; those of others are the first of their numbers, or
       by the alphabet */
    dlp_index n_references;
    const dlp_reference *reference; /* (n_references) */
    int constant_response; /* build: 1 takes a cbind() without a success, or without a failure;
                              2 numbers that are all the same, too. A regression of counts
                              has a posterior then, if its prior has one */

    /* build: 1 takes bars for random effects, as lme4 does, and s() for smooths, as mgcv does;
       group is NULL then. A rebuilt design has them where the fit had */
    int random;
    int skip_groupings; /* rebuild: 1 does not look at the groupings of random effects: each
                           row is one of levels that the fit did not see */
    /* build: the neighbours that besag() is about; NULL: none */
    const dlp_adjacency *adjacency;
    const char *precision; /* the column of precisions, positive numbers; NULL: none */
    /* build: columns of the table whose powers are counted from elsewhere than 0 */
    dlp_index n_centres;
    const dlp_centre *centre; /* (n_centres) */
} dlp_design_options;

/* Zeros: rows with missing values are left out, unseen levels are errors. */
DLP_API void dlp_design_options_init(dlp_design_options *options, size_t size);
static inline dlp_design_options dlp_design_options_default(void)
{
    dlp_design_options options;
    dlp_design_options_init(&options, sizeof options);
    return options;
}

/*
 * The design of a formula over a table, which must outlive it: numeric columns used
 * in the formula as they are, and that lose no row, are the table's own, not copies.
 * Takes O(N p) time. On failure *design is NULL and the error names the place in the
 * formula, or the column, row (counted from 1) and value. options may be NULL.
 *
 * Refused, since no fit could use them: a constant response, unless the options take one, no columns, no rows, a
 * factor with one level, infinite values, log(x) where x <= 0. So is a column of
 * categories, written without factor(), of which 9 in 10 values are numbers, and 10 of
 * them distinct: it is one of numbers with a slip in it. A factor has the levels that
 * occur in the rows used. In '.', the columns of the response, the group and the weights
 * do not count.
 *
 * Every term inside the bars of (... | g) varies by g, around a mean that the groups
 * share; there is one such term, it groups by one column, and terms outside must stand
 * inside too. An intercept outside counts where it is written or other terms stand outside.
 *
 * With options->random bars are random effects: (1 | g), (x | g), (0 + x | g), (x || g),
 * (1 | a:b), (1 | a/b), as many as wanted beside any terms outside, which have an
 * intercept unless 0 + says otherwise. A grouping is a column of categories or of whole
 * numbers, or factor(g) of any. Refused are a grouping with one level, or with the
 * response in it, an effect that varies by the same groups in two terms, and a column
 * that varies by its own levels. Takes O(N q) time and memory more.
 */
DLP_API dlp_status dlp_design_build(const dlp_formula *formula, const dlp_table *table,
                                    const dlp_design_options *options,
                                    dlp_design **design, dlp_error *error);

/* The same columns as at the fit, from other data. A column of numbers serves where the
   fit saw categories if their texts are its levels; categories where it saw numbers do
   not. */
DLP_API dlp_status dlp_design_rebuild(const dlp_terms *terms, const dlp_table *table,
                                      const dlp_design_options *options,
                                      dlp_design **design, dlp_error *error);

DLP_API void dlp_design_free(dlp_design *design); /* NULL is fine */

/* Where a term is 0, so that the intercept is about it. */
typedef enum dlp_term_zero {
    DLP_ZERO_NOWHERE, /* a factor, or an interaction */
    DLP_ZERO_BY_FIT,  /* where the rows of the fit put it: of scale(x), poly(x, 2) */
    DLP_ZERO_OWN      /* of x, log(x): may be far from every row */
} dlp_term_zero;
DLP_API dlp_term_zero dlp_design_term_zero(const dlp_design *design, dlp_index t);

#ifdef __cplusplus
}
#endif

#endif
