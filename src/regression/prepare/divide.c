/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/prepare/divide.h"

#include "comm/division.h"
#include "table/formula/formula.h"

/* Functions that need all values of a column at once: for levels, quantiles, or
   constants; and responses between limits, for which few rows are another matter. */
static bool needs_all(const struct dlpi_node *node)
{
    if (!node) return false;
    if (node->kind == DLPI_NODE_BAR) return true;
    if (node->kind == DLPI_NODE_CALL) switch (node->function->role) {
        case DLPI_ROLE_FACTOR:
        case DLPI_ROLE_SCALE:
        case DLPI_ROLE_CENSORED:
        case DLPI_ROLE_BASIS:
        case DLPI_ROLE_SMOOTH: return true;
        default: break;
        }
    for (const struct dlpi_node *part = node->first; part; part = part->next)
        if (needs_all(part)) return true;
    return false;
}

/* With one linear predictor, at most one scale, and a start at 0. */
static bool is_simple(const dlp_family *family, const char *link)
{
    return !dlp_family_has_levels(family) && !family->second && !family->df &&
           !family->censored && !dlpi_eta_is_positive(family, link);
}

int dlp_regression_may_divide(const dlp_formula *formula,
                              const dlp_regression_settings *s)
{
    const dlp_family *family = s->family ? dlp_family_find(s->family) : NULL;
    const bool bound = s->method && !strcmp(s->method, "jaakkola-jordan");
    return !s->group && !s->precision && !s->adjacency && !bound &&
           dlp_formula_groups(formula) == 0 && dlp_formula_smooths(formula) == 0 &&
           !needs_all(formula->response) && !needs_all(formula->terms) &&
           (!family || is_simple(family, s->link));
}

bool dlpi_may_divide(const dlpi_prepared *p)
{
    return !dlpi_is_divided(p->table->division) ||
           (dlp_regression_may_divide(p->formula, &p->asked) &&
            is_simple(p->family, p->link));
}
