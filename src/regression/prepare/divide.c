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
static bool is_simple(const dlp_family *family, const dlpi_family *linked)
{
    return !dlp_family_has_levels(family) && !family->second && !family->df &&
           !family->censored && !(linked && linked->positive);
}

int dlp_regression_may_divide(const dlp_formula *formula,
                              const dlp_regression_settings *s)
{
    const dlp_family *family = s->family ? dlp_family_find(s->family) : NULL;
    dlp_method_kind method = DLP_METHOD_AUTO;
    if (s->method) (void)dlpi_method_of_text(s->method, &method);
    return !s->group && !s->precision && !s->adjacency &&
           method != DLP_METHOD_JAAKKOLA_JORDAN && dlp_formula_groups(formula) == 0 &&
           dlp_formula_smooths(formula) == 0 && !needs_all(formula->response) &&
           !needs_all(formula->terms) &&
           (!family || is_simple(family, dlpi_family_find(family->name, s->link)));
}

bool dlpi_may_divide(const dlpi_prepared *p)
{
    return !dlpi_is_divided(p->table->division) ||
           (dlp_regression_may_divide(p->formula, &p->asked) &&
            is_simple(p->family, p->linked));
}
