/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the text of a formula becomes terms. formula_lex.c cuts it into tokens, formula.c
 * makes the tree with the rules of formula_parser.h, formula_groups.c reads what follows
 * bars, formula_functions.c lists the functions, formula_label.c writes trees as R would,
 * formula_expand.c multiplies a*b and (a + b)^2 out into terms, formula_coding.c says how
 * factors are coded in them, formula_options.c reads what follows the first argument of
 * some functions, formula_copy.c copies trees, formula_write.c writes the text of one
 * that was changed, and formula_caret.c points at what is wrong. Nothing reads the text a
 * second time. Internal.
 */
#ifndef DLPI_TABLE_FORMULA_H
#define DLPI_TABLE_FORMULA_H

#include "core/name_index.h"
#include "core/text.h"

#include <delaplace/design.h>
#include <delaplace/formula.h>

/* What keeps hostile formulas small. */
enum {
    DLPI_MOST_TEXT = 4 << 20,   /* bytes of a formula */
    DLPI_MOST_NESTING = 100,    /* of parentheses, calls, signs and powers */
    DLPI_MOST_TERMS = 1 << 15,  /* after a*b and (a + b)^2 are multiplied out */
    DLPI_MOST_ORDER = 32,       /* variables in one term */
    DLPI_MOST_UNIONS = 4 << 20, /* terms formed on the way, most of them twice */
};

/* ---- tokens ---- */

/* A token of one character is that character: + - * / ^ : ~ ( ) , | */
enum dlpi_token_kind {
    DLPI_TOKEN_END = 256,
    DLPI_TOKEN_NAME,
    DLPI_TOKEN_QUOTED, /* a name in backquotes */
    DLPI_TOKEN_NUMBER,
    DLPI_TOKEN_DOT,
    DLPI_TOKEN_PERCENT, /* %in% and the like */
    DLPI_TOKEN_COMPARE, /* < <= == != >= > */
    DLPI_TOKEN_STRING,
    DLPI_TOKEN_OTHER /* no formula has it */
};

struct dlpi_token {
    int kind;
    size_t at, size;  /* bytes of the text */
    const char *name; /* of a name, without backquotes */
    double number;
};

struct dlpi_lexer {
    const char *text;
    size_t at;
    char *names; /* where the next name goes: room for as many bytes as text has, and 2 */
};

/* Takes the next token. */
dlp_status dlpi_lex(struct dlpi_lexer *lexer, struct dlpi_token *token, dlp_error *error);

/* The place of what is not in the text. */
#define DLPI_NOWHERE SIZE_MAX

/* DLP_EFORMULA with "formula:LINE:COLUMN: ", the message, the line of the text, and a
   caret under it; DLP_EINPUT with the message alone for DLPI_NOWHERE. */
dlp_status dlpi_formula_fail(const char *text, size_t at, dlp_error *error,
                             const char *format, ...) DLP_PRINTF(4, 5);

/* ---- functions ---- */

enum dlpi_role {
    DLPI_ROLE_MATH,     /* log(x): a number from a number */
    DLPI_ROLE_AS_IS,    /* I(x): arithmetic */
    DLPI_ROLE_FACTOR,   /* factor(x) */
    DLPI_ROLE_SCALE,    /* scale(x) */
    DLPI_ROLE_OFFSET,   /* offset(x) */
    DLPI_ROLE_CBIND,    /* cbind(successes, failures) */
    DLPI_ROLE_CENSORED, /* Surv(time, status), tobit(y) */
    DLPI_ROLE_BASIS,    /* poly(x, 2): several columns of numbers */
    DLPI_ROLE_SMOOTH,   /* s(x): columns whose coefficients share an sd */
    DLPI_ROLE_REFUSED   /* R has it, formulas here do not */
};

struct dlpi_function {
    const char *name;
    enum dlpi_role role;
    double (*value)(double); /* DLPI_ROLE_MATH */
    double bound;            /* DLPI_ROLE_MATH: x must be above it, */
    bool bound_allowed;      /*     or equal to it */
    const char *advice;      /* DLPI_ROLE_REFUSED: what to write instead */
    /* DLPI_ROLE_BASIS and DLPI_ROLE_SMOOTH: which, unless options say otherwise. A thin
       plate is s(), which alone has options for that. */
    dlp_basis_kind basis;
    bool has_limits; /* DLPI_ROLE_CENSORED: tobit() */
};

/* The function of that name, or NULL. */
const struct dlpi_function *dlpi_function_find(const char *name);
/* The function whose name was probably meant, or NULL. */
const char *dlpi_function_suggest(const char *name);

/* ---- the tree ---- */

enum dlpi_node_kind {
    DLPI_NODE_NUMBER,
    DLPI_NODE_NAME,
    DLPI_NODE_DOT,
    DLPI_NODE_PAREN,
    DLPI_NODE_SIGN,    /* -x or +x */
    DLPI_NODE_SUM,     /* a chain a + b - c: each part but the first has its operator */
    DLPI_NODE_PRODUCT, /* a chain a * b / c */
    DLPI_NODE_COLON,   /* a chain a:b:c */
    DLPI_NODE_POWER,   /* base, exponent */
    DLPI_NODE_CALL,
    DLPI_NODE_OPTION, /* of a call: name = value */
    DLPI_NODE_TEXT,   /* its value: "cc" */
    DLPI_NODE_LIST,   /* or c(1, 2) */
    DLPI_NODE_BAR /* the terms, what groups: g, factor(g), a chain a:b or a/b of them */
};

struct dlpi_node {
    enum dlpi_node_kind kind;
    char op;          /* before it in its chain; the sign of DLPI_NODE_SIGN */
    size_t at;        /* where it begins in the text, */
    size_t end;       /*     and of DLPI_NODE_CALL where it ends */
    const char *name; /* of DLPI_NODE_NAME, _OPTION, _TEXT; of a number, TRUE or FALSE */
    double number;    /* DLPI_NODE_NUMBER */
    const struct dlpi_function *function; /* DLPI_NODE_CALL */
    bool
        is_split; /* DLPI_NODE_BAR: '||', so that its terms do not depend on each other */
    struct dlpi_node *first, *next; /* its first part; what follows it in its parent */
};

/* What a grouping term groups by: a column, or a combination of some. (1 | a/b) has
   two. */
struct dlpi_grouping {
    const char *name; /* the column, as it is; "a:b", in backquotes where R needs them */
    dlp_index n;
    const struct dlpi_node **part; /* (n) g or factor(g) */
};

/* The columns that '.' stands for; if there are none, '.' is refused. */
struct dlpi_dot {
    dlp_index n;
    const char *const *name;
};

/* Where a tree no longer matches its text, and what to write there instead. */
struct dlpi_edit {
    size_t at, end; /* bytes of the text */
    const char *written;
    struct dlpi_edit *next; /* further on in the text */
};

struct dlp_formula {
    struct dlpi_pool pool; /* of all that follows */
    const char *text;      /* as it was parsed, for carets */
    size_t tilde;          /* where '~' is in it */
    struct dlpi_edit *edits;
    struct dlpi_dot dot; /* of a formula that has met its table; n is 0 of others */
    const char *written; /* the text with both, which terms have; NULL: not known */
    struct dlpi_node *response; /* NULL in a formula with one side */
    struct dlpi_node *terms;    /* a DLPI_NODE_SUM */
    dlp_index n_bars;
    struct dlpi_node **bar; /* (n_bars) the grouping terms */
    dlp_index n_groups;
    struct dlpi_grouping *group; /* (n_groups) in the order of the bars; those of bar i */
    dlp_index *group_begin;      /* (n_bars + 1) begin there */
};

/* The column that a grouping variable, or a factor, names: g or factor(g). */
const struct dlpi_node *dlpi_factor_name(const struct dlpi_node *node);

/* A tree as R would write it, "I(x^2)"; NULL without memory. */
const char *dlpi_label(const struct dlpi_node *node, struct dlpi_pool *pool);
/* The left side of a bar as R would write it, with '.' written out: "1 + x". */
const char *dlpi_bar_label(const struct dlpi_node *terms, const struct dlpi_dot *dot,
                           struct dlpi_pool *pool);
/* A column's name, in backquotes where R needs them. */
bool dlpi_text_add_name(struct dlpi_text *text, const char *name);

/* ---- terms ---- */

struct dlpi_variable {
    const char *label;
    const struct dlpi_node *node; /* DLPI_NODE_NAME or DLPI_NODE_CALL */
    const char *whole;            /* of a column of a basis, the basis: "ns(x, 3)" */
    dlp_index column;             /* and which column of it */
};

struct dlpi_term {
    const int32_t *variable; /* (order) ascending */
    dlp_index order;
};

/* The right side of a formula, multiplied out. */
struct dlpi_expansion {
    struct dlpi_pool *pool;
    dlp_index n_variables;
    struct dlpi_variable *variable; /* in the order in which the formula names them */
    dlp_index n_terms;
    struct dlpi_term *term; /* by order, else as the formula has them */
    bool intercept;
    bool intercept_written; /* not only understood */
    dlp_index n_offsets;
    const struct dlpi_node **offset; /* calls of offset() */
    dlp_index unions;                /* terms formed on the way */
};

/* Expands `terms`, which is formula->terms or the terms of one of its bars. Memory comes
   from pool. Grouping terms are passed over. */
dlp_status dlpi_expand(const dlp_formula *formula, const struct dlpi_node *terms,
                       const struct dlpi_dot *dot, struct dlpi_pool *pool,
                       struct dlpi_expansion *out, dlp_error *error);

/* The names of a term's variables, joined by ':'; NULL without memory. */
const char *dlpi_term_label(const struct dlpi_expansion *expansion,
                            const struct dlpi_term *term, struct dlpi_pool *pool);

/*
 * Which factors have a column for every level, and which for every level but the first:
 * full[t][k] is true for the former, of the k-th variable of term t. Numeric variables
 * are false. NULL without memory.
 */
bool **dlpi_full_coding(const struct dlpi_expansion *expansion, const bool *is_factor,
                        struct dlpi_pool *pool);

/* The text of the formula as it now is, with each '.' written out, or with dot NULL as it
   is; NULL without memory. */
const char *dlpi_formula_write(const dlp_formula *formula, const struct dlpi_dot *dot,
                               struct dlpi_pool *pool);

/* ---- changes ---- */

/* A copy whose memory comes from pool; NULL without memory. */
dlp_formula *dlpi_formula_copy(const dlp_formula *formula, struct dlpi_pool *pool);
/* A copy for dlp_formula_free, to be changed; NULL without memory. */
dlp_formula *dlpi_formula_duplicate(const dlp_formula *formula);
/* Records that the text from `at` to `end` is now `written`, which is copied. It must
   come after the edits recorded so far. */
bool dlpi_formula_edit(dlp_formula *formula, size_t at, size_t end, const char *written);

/* The text it was parsed from. */
const char *dlpi_formula_text(const dlp_formula *formula);

/* How many smooth terms s() it has. */
dlp_index dlpi_formula_smooths(const dlp_formula *formula);

/* The largest k of the columns xk that the formula names, as svmlight files number them;
   0: it names none. Such a file may have no index 9 and still has the column x9, of
   zeros. */
dlp_index dlpi_formula_features(const dlp_formula *formula);

#endif
