/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/prepare/divide.h"

#include "comm/division.h"
#include "core/settings.h"
#include "mixed/mixed.h"
#include "table/formula/formula.h"

/* Functions that need all values of a column at once, for quantiles or constants. */
static bool needs_all(const struct dlpi_node *node)
{
    if (!node) return false;
    if (node->kind == DLPI_NODE_CALL) switch (node->function->role) {
        case DLPI_ROLE_SCALE:
        case DLPI_ROLE_BASIS:
        case DLPI_ROLE_SMOOTH: return true;
        default: break;
        }
    for (const struct dlpi_node *part = node->first; part; part = part->next)
        if (needs_all(part)) return true;
    return false;
}

/* The levels of random effects are divided where there is one linear predictor, at most one
   scale and a start at 0. */
static bool is_simple(const dlp_family *family, const dlpi_family *linked)
{
    return !dlp_family_has_levels(family) && !family->second && !family->df &&
           !family->censored && !(linked && linked->positive);
}

static bool any_needs_all(const dlp_formula *f)
{
    bool any = needs_all(f->response) || needs_all(f->terms);
    for (dlp_index i = 0; i < f->n_bars && !any; i++) any = needs_all(f->bar[i]);
    return any;
}

/* Effects that vary by one column. */
static bool is_one_term(const dlp_formula *f)
{
    return f->n_groups == 1 && f->group[0].n == 1;
}

static bool may_divide(const dlp_formula *formula, const dlp_regression_settings *s)
{
    const dlp_family *family = s->family ? dlp_family_find(s->family) : NULL;
    dlp_method_kind method = DLP_METHOD_AUTO;
    if (s->method) (void)dlpi_method_of_text(s->method, &method);
    const bool mixed = dlpi_choose_grouping(formula, s) == DLP_MIXED;
    return (!mixed || is_one_term(formula)) && !s->precision && !s->adjacency &&
           method != DLP_METHOD_JAAKKOLA_JORDAN && !any_needs_all(formula) &&
           (!mixed || !family ||
            is_simple(family, dlpi_family_find(family->name, s->link)));
}

int dlp_regression_may_divide(const dlp_formula *formula,
                              const dlp_regression_settings *settings)
{
    dlp_regression_settings s = dlp_regression_settings_default();
    return dlpi_settings_take(&s, sizeof s, settings, NULL) == DLP_OK &&
           may_divide(formula, &s);
}

/* Whether the levels can be divided, or there are none. */
static bool has_divisible_levels(const dlp_design *d)
{
    return d->n_random == 0 ||
           (d->n_random == 1 && !d->random[0].process && d->p <= DLPI_DIVISIBLE_COLUMNS);
}

bool dlpi_may_divide(const dlpi_prepared *p)
{
    return !dlpi_is_divided(p->table->division) ||
           (may_divide(p->formula, &p->asked) &&
            (p->design->n_random == 0 || is_simple(p->family, p->linked)) &&
            has_divisible_levels(p->design));
}
