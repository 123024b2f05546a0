/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How terms and a table become columns. design.c goes through the steps: design_bind.c
 * finds what the formula names, factor.c gives codes to categories, design_scale.c finds
 * the constants of scale(), design_bases.c those of poly() and splines, design_rows.c
 * chooses the rows, design_reference.c puts the reference levels first,
 * design_variables.c lists what terms are made of, design_columns.c makes the columns,
 * design_powers.c those of powers about a centre, and design_response.c the rest.
 * design_effects.c and design_groupings.c do all this for the two sides of a bar of
 * random effects, and design_random.c lists these effects. design_smooths.c handles s().
 * terms.c keeps what is needed to build the same columns from other tables. Internal.
 */
#ifndef DLPI_TABLE_DESIGN_H
#define DLPI_TABLE_DESIGN_H

#include "comm/division.h"
#include "table/formula/expression.h"

#include <delaplace/design.h>

enum { DLPI_MOST_COLUMNS = 1 << 15 }; /* of a design */

/* ---- categories ---- */

/* A categorical variable: a column of categories, or of numbers taken as categories, or a
   combination of such columns. */
struct dlpi_factor {
    const char *variable; /* its name in messages */
    dlp_index column;     /* in the table; for a combination, the first */
    bool is_group;        /* groups the rows, and is not a term */
    dlp_unseen unseen;    /* what to do with levels that the fit did not see */
    bool of_graph;        /* its levels are the regions of an adjacency */

    dlp_index n_found; /* levels that the table has */
    const char *const *found;
    const int32_t *found_code; /* (rows) -1 where missing */
    int32_t *level_of;         /* (n_found) the index below, -1 for none */

    dlp_levels levels;   /* those of the design */
    const int32_t *code; /* (N) */
};

/* Finds the levels of the column. */
dlp_status dlpi_factor_find(const dlp_table *table, struct dlpi_pool *pool,
                            struct dlpi_factor *factor, dlp_error *error);
/* Makes a level of each combination of the n parts that occurs, ordered by the first
   part, then the second, ... The levels of the parts have been found. */
dlp_status dlpi_factor_combine(const struct dlpi_factor *part, dlp_index n,
                               dlp_index rows, struct dlpi_pool *pool,
                               struct dlpi_factor *factor, dlp_error *error);
/* Takes the levels of the fit as they are; those found that are not among them get -1. */
dlp_status dlpi_factor_take(const dlp_levels *fitted, struct dlpi_pool *pool,
                            struct dlpi_factor *factor, dlp_error *error);
/* Takes the levels that occur in the n rows listed; row NULL: all. */
dlp_status dlpi_factor_use(const dlp_index *row, dlp_index n, dlpi_division *division,
                           struct dlpi_pool *pool, struct dlpi_factor *factor,
                           dlp_error *error);
/* Sets factor->code; it points into the table if the codes there are the same. */
dlp_status dlpi_factor_code(const dlp_table *table, const dlp_index *row, dlp_index n,
                            const dlpi_division *division, struct dlpi_pool *pool,
                            struct dlpi_factor *factor, dlp_error *error);

/* ---- building ---- */

struct dlpi_basis_spec;

/* poly(), ns() or bs() of the formula. */
struct dlpi_bound_basis {
    const char *label;
    dlp_basis_kind kind;
    const struct dlpi_basis_spec *spec;
    struct dlpi_expression x;
    dlp_index columns;
    dlp_basis basis;     /* its constants, from the fit or from these data */
    const double *value; /* (columns, N) */
    struct dlpi_bound_basis *next;
};

struct dlpi_input;

/* s() of the formula. */
struct dlpi_bound_smooth {
    const char *label; /* as in the formula, */
    const char *name;  /*     and without options: "s(x)" */
    const struct dlpi_basis_spec *spec;
    struct dlpi_expression x[2];
    const char *by_label;
    struct dlpi_input *by;      /* NULL: none */
    struct dlpi_factor *region; /* for besag() and bym2(); else NULL */
    struct dlpi_factor *series; /* for ar1(t | g); NULL also where it is not needed */
    dlp_basis basis;
    dlp_index number;    /* of the basis, in the terms */
    const double *value; /* (columns, N) before `by` */
    const double *at;    /* (N) for a process: x, or the region */
};

/* A variable of the terms: a factor, or numbers. */
struct dlpi_input {
    const struct dlpi_variable *variable;
    struct dlpi_factor *factor; /* NULL: numbers */
    struct dlpi_expression expression;
    dlp_scaling scaling;            /* variable NULL: none */
    struct dlpi_bound_basis *basis; /* NULL: none; else its column basis_column */
    dlp_index basis_column;
    bool is_used;        /* a term has it */
    const double *value; /* (N) numbers */
};

/* The left side of a bar of random effects, or, for '||', one term of it. */
struct dlpi_effects {
    dlp_index bar;     /* of the formula */
    const char *label; /* "1 + x" */
    struct dlpi_expansion terms;
    struct dlpi_input **input; /* (terms.n_variables) NULL: no term has it */
};

/* How a response is known to lie in an interval: design_censored.c. */
enum dlpi_censoring {
    DLPI_CENSORED_RIGHT,
    DLPI_CENSORED_LEFT,
    DLPI_CENSORED_INTERVAL,
    DLPI_CENSORED_INTERVAL2,
    DLPI_CENSORED_LIMITS
};

struct dlpi_response {
    dlp_response_kind kind;
    const char *label;
    struct dlpi_factor *factor;
    struct dlpi_expression first, second; /* y, or successes and failures */
    struct dlpi_expression third;         /* for Surv() */
    enum dlpi_censoring censoring;
    double left, right; /* for DLPI_CENSORED_LIMITS */
};

/* A design, and the memory it owns. */
struct dlpi_owned_design {
    dlp_design design;
    struct dlpi_pool pool;
};

/* All that is known while a design is built. */
struct dlpi_build {
    const dlp_formula *formula;
    const dlp_terms *fitted; /* of the fit; NULL: this is the fit */
    dlp_design_options options;
    struct dlpi_columns columns; /* with the table */
    struct dlpi_name_index fitted_factors,
        fitted_scalings;       /* the variables in `fitted` */
    struct dlpi_pool *scratch; /* temporary memory */
    struct dlpi_pool *pool;    /* memory of the design */
    dlp_design *design;
    dlp_error *error;

    struct dlpi_dot dot;
    struct dlpi_expansion terms;
    struct dlpi_input *input;      /* (terms.n_variables) */
    struct dlpi_name_index labels; /* of the inputs that terms have, inside bars too */
    struct dlpi_input **labelled;  /* (labels.n) those of terms first */
    struct dlpi_response response;
    struct dlpi_factor *group; /* NULL without groups */
    dlp_index n_effects;
    struct dlpi_effects *effects; /* (n_effects) */
    dlp_index n_groupings;
    struct dlpi_factor **grouping; /* (n_groupings) each once */
    dlp_index *grouping_of;        /* (formula->n_groups) */
    dlp_index n_smooths;
    struct dlpi_bound_smooth *smooth; /* (n_smooths) */
    dlp_index n_bases;
    struct dlpi_bound_basis *bases; /* a list of all, inside bars too */
    dlp_index n_offsets;
    struct dlpi_expression *offset;   /* (n_offsets) */
    struct dlpi_expression weight;    /* where options.weight is set */
    struct dlpi_expression precision; /* where options.precision is */

    dlp_index n_factors;
    struct dlpi_factor **factor; /* (n_factors) of inputs, response and what groups */
};

/* The steps, in order. */
dlp_status dlpi_build_bind(struct dlpi_build *build);
dlp_status dlpi_build_rows(struct dlpi_build *build);
dlp_status dlpi_build_references(struct dlpi_build *build);
dlp_status dlpi_bind_censored(struct dlpi_build *build, const struct dlpi_node *call);
dlp_status dlpi_make_censored(struct dlpi_build *build);
dlp_status dlpi_build_response(struct dlpi_build *build);
dlp_status dlpi_build_variables(struct dlpi_build *build);
dlp_status dlpi_build_bases(struct dlpi_build *build);
dlp_status dlpi_build_smooths(struct dlpi_build *build);   /* before the variables */
dlp_status dlpi_build_penalised(struct dlpi_build *build); /* after the columns */
dlp_status dlpi_build_columns(struct dlpi_build *build);
dlp_status dlpi_build_offset(struct dlpi_build *build);
dlp_status dlpi_build_weight(struct dlpi_build *build);
dlp_status dlpi_build_group(struct dlpi_build *build);
dlp_status dlpi_build_random(struct dlpi_build *build); /* after design->terms are kept */

/* Expands the terms inside the bars of random effects, and lists what groups them. */
dlp_status dlpi_expand_effects(struct dlpi_build *build);
/* Takes the terms s() out of the others. */
dlp_status dlpi_take_smooths(struct dlpi_build *build);
/* Finds their variables in the table. */
dlp_status dlpi_bind_smooths(struct dlpi_build *build);
/* design_processes.c. Finds g of ar1(t | g). */
dlp_status dlpi_bind_series(struct dlpi_build *build, struct dlpi_bound_smooth *smooth);
/* The names of a process's nodes, as levels. */
dlp_status dlpi_name_nodes(struct dlpi_build *build,
                           const struct dlpi_bound_smooth *smooth, dlp_levels *levels);
/* Adds processes to the random effects, whose list has room. */
dlp_status dlpi_add_processes(struct dlpi_build *build, dlp_random *random);
dlp_index dlpi_count_processes(const struct dlpi_build *build);
/* Makes variables of the columns of bases, in terms and inside bars. */
dlp_status dlpi_split_bases(struct dlpi_build *build);
/* Finds the basis of such a variable in the table. */
dlp_status dlpi_bind_basis(struct dlpi_build *build, const struct dlpi_variable *variable,
                           struct dlpi_input *input);
/* Finds both in the table. */
dlp_status dlpi_bind_effects(struct dlpi_build *build);
dlp_status dlpi_bind_groupings(struct dlpi_build *build);
/* The columns of effects e, their number and their names, as if they were a design of
   their own. */
dlp_status dlpi_build_effects(struct dlpi_build *build, dlp_index e, dlp_design *out);

/* Finds a variable that some term has; one of the same label is the same input. */
dlp_status dlpi_bind_variable(struct dlpi_build *build,
                              const struct dlpi_variable *variable,
                              struct dlpi_input **input);
/* As dlpi_bind_factor, for an input with this label. */
dlp_status dlpi_bind_region(struct dlpi_build *build,
                            const struct dlpi_variable *variable,
                            const struct dlpi_node *name, struct dlpi_factor **out);
/* As dlpi_bind_region, for any column; `unseen`: what to do with levels that the fit did
   not have. */
dlp_status dlpi_bind_labelled(struct dlpi_build *build,
                              const struct dlpi_variable *variable,
                              const struct dlpi_node *name, const dlp_levels *levels,
                              dlp_unseen unseen, struct dlpi_factor **out);
/* The levels that the fit has of a factor with this label, or NULL. */
const dlp_levels *dlpi_fitted_factor(const struct dlpi_build *build, const char *label);
/* Adds a factor over a column, with the levels of the fit if there was one. */
dlp_status dlpi_bind_factor(struct dlpi_build *build, const char *variable,
                            dlp_index column, const dlp_levels *fitted, dlp_unseen unseen,
                            struct dlpi_factor **out);
/* The names in terms that were taken out again must still be columns: a slip in ". - idd"
   would otherwise leave id in. */
dlp_status dlpi_bind_names(struct dlpi_build *build, const struct dlpi_node *node);
/* Adds the names of columns in the tree; false without memory. */
bool dlpi_add_names(const struct dlpi_node *node, struct dlpi_name_index *names);

/* Appends the columns that a tree names; column NULL: only counts them. */
void dlpi_list_columns(const struct dlpi_build *build, const struct dlpi_node *node,
                       dlp_index *column, dlp_index *n);

/* The values of an expression in the rows used: a pointer into the table if it holds them
   as they are, else from pool. */
dlp_status dlpi_build_values(struct dlpi_build *build,
                             const struct dlpi_expression *expression,
                             struct dlpi_pool *pool, const double **out);

/* The values or codes of a variable in the rows used. */
dlp_status dlpi_make_input(struct dlpi_build *build, struct dlpi_input *input);

/* design_powers.c. If a variable is a power of a column, its exponent (1 for x, 3 for
   I(x^3)) and the node that names the column; else 0. */
int dlpi_power_of(const struct dlpi_node *node, const struct dlpi_node **name);
/* Makes the values of a variable that is a power of a column with a centre other than 0;
   *made is false for all other variables. */
dlp_status dlpi_make_power(struct dlpi_build *build, struct dlpi_input *input,
                           bool *made);

/* The constants of scale() over all rows of the table that have a value. */
dlp_status dlpi_find_scaling(const struct dlpi_expression *expression,
                             struct dlpi_pool *scratch, dlp_scaling *scaling,
                             dlp_error *error);

/* The worst status of the processes that have rows of the table. */
dlp_status dlpi_build_agree(const struct dlpi_build *build, dlp_status mine);
/* The number of the design's row i in the table, as people count. */
dlp_index dlpi_row_number(const dlp_design *design, dlp_index i);

/* Computed numbers must be finite in the rows used; label names them. */
dlp_status dlpi_build_check(const struct dlpi_build *build, const char *label,
                            const double *x);

/* "column 'x' is infinite in row ..." */
dlp_status dlpi_fail_infinite(const dlp_column *column, dlp_index row, dlp_error *error);

dlp_status dlpi_build_no_memory(const struct dlpi_build *build);

/* ---- terms ---- */

/* The parsed formula of the terms; NULL if they came without one, or if their text has
   changed since. */
const dlp_formula *dlpi_terms_formula(const dlp_terms *terms);
/* Copies all that terms point to. */
dlp_status dlpi_terms_copy(const dlp_terms *terms, struct dlpi_pool *pool,
                           dlp_terms *copy, dlp_error *error);
/* Refuses terms that no design can have; a damaged file may hold such. */
dlp_status dlpi_terms_check(const dlp_terms *terms, dlp_error *error);

#endif
