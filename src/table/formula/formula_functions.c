/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of formulas, and what to write instead of those that are not among them. */
#include "core/suggest.h"
#include "table/formula/formula.h"

#include <math.h>
#include <string.h>

#define MATH(function, least, allowed)                                                   \
    {                                                                                    \
        .name = #function, .role = DLPI_ROLE_MATH, .value = (function),                  \
        .bound = (least), .bound_allowed = (allowed)                                     \
    }
#define COLUMNS_FIRST "make the column in the data first"

static const struct dlpi_function functions[] = {
    MATH(log, 0, false),
    MATH(log2, 0, false),
    MATH(log10, 0, false),
    MATH(log1p, -1, false),
    MATH(sqrt, 0, true),
    MATH(exp, -INFINITY, true),
    {.name = "abs", .role = DLPI_ROLE_MATH, .value = fabs, .bound = -INFINITY},
    {.name = "I", .role = DLPI_ROLE_AS_IS},
    {.name = "factor", .role = DLPI_ROLE_FACTOR},
    {.name = "as.factor", .role = DLPI_ROLE_FACTOR},
    {.name = "scale", .role = DLPI_ROLE_SCALE},
    {.name = "offset", .role = DLPI_ROLE_OFFSET},
    {.name = "cbind", .role = DLPI_ROLE_CBIND},
    {.name = "Surv", .role = DLPI_ROLE_CENSORED},
    {.name = "tobit", .role = DLPI_ROLE_CENSORED, .has_limits = true},
    {.name = "poly", .role = DLPI_ROLE_BASIS, .basis = DLP_BASIS_POLY},
    {.name = "ns", .role = DLPI_ROLE_BASIS, .basis = DLP_BASIS_NS},
    {.name = "bs", .role = DLPI_ROLE_BASIS, .basis = DLP_BASIS_BS},
    {.name = "s", .role = DLPI_ROLE_SMOOTH, .basis = DLP_BASIS_TP},
    {.name = "rw1", .role = DLPI_ROLE_SMOOTH, .basis = DLP_BASIS_RW1},
    {.name = "rw2", .role = DLPI_ROLE_SMOOTH, .basis = DLP_BASIS_RW2},
    {.name = "besag", .role = DLPI_ROLE_SMOOTH, .basis = DLP_BASIS_BESAG},
    {.name = "ar1", .role = DLPI_ROLE_SMOOTH, .basis = DLP_BASIS_AR1},
    {.name = "bym2", .role = DLPI_ROLE_SMOOTH, .basis = DLP_BASIS_BYM2},
    {.name = "cut", .role = DLPI_ROLE_REFUSED, .advice = COLUMNS_FIRST},
    {.name = "ifelse", .role = DLPI_ROLE_REFUSED, .advice = COLUMNS_FIRST},
    {.name = "relevel",
     .role = DLPI_ROLE_REFUSED,
     .advice = "the first level is the reference: rename one (0-control)"},
    {.name = "ordered", .role = DLPI_ROLE_REFUSED, .advice = "write factor(x)"},
    {.name = "as.numeric", .role = DLPI_ROLE_REFUSED, .advice = COLUMNS_FIRST},
    {.name = "interaction", .role = DLPI_ROLE_REFUSED, .advice = "write a:b"},
};
enum { N_FUNCTIONS = sizeof functions / sizeof functions[0] };

const struct dlpi_function *dlpi_function_find(const char *name)
{
    for (int i = 0; i < N_FUNCTIONS; i++)
        if (strcmp(functions[i].name, name) == 0) return &functions[i];
    return NULL;
}

const char *dlpi_function_suggest(const char *name)
{
    const char *known[N_FUNCTIONS];
    int n = 0;
    for (int i = 0; i < N_FUNCTIONS; i++)
        if (functions[i].role != DLPI_ROLE_REFUSED) known[n++] = functions[i].name;
    return dlpi_suggest(name, known, n);
}
