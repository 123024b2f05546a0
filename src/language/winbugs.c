/* SPDX-License-Identifier: BSD-3-Clause */
#include "language/winbugs.h"

/* What is known about the names of a model, by their numbers. */
struct names {
    const dlpi_owner *owner;
    dlp_index n;
    uint8_t *given;      /* it is in the data */
    uint8_t *computed;   /* a relation of model{} computes some of it */
    uint8_t *random;     /* a relation of model{} gives some of it a distribution */
    uint8_t *computable; /* all that computes it needs the data alone */
    uint8_t *wanted;     /* it is to be data */
};

static int32_t left_of(const dlpi_relation *r)
{
    return dlpi_name_number(r->left->name);
}

/* For every variable of an expression that is no loop's; false: `each` said so. */
static bool for_names(struct names *n, const dlpi_loop *loop, const dlpi_syntax *s,
                      bool (*each)(struct names *n, int32_t name))
{
    if (s->kind == DLPI_SYNTAX_VARIABLE) {
        bool is_loop = false;
        for (const dlpi_loop *l = loop; l; l = l->outer) is_loop |= l->name == s->name;
        if (!is_loop && !each(n, dlpi_name_number(s->name))) return false;
    }
    for (int i = 0; i < s->n_args; i++)
        if (!for_names(n, loop, s->arg[i], each)) return false;
    return true;
}

/* For all that a relation needs: of its right side, its indices and its loops. */
static bool for_needs(struct names *n, const dlpi_relation *r,
                      bool (*each)(struct names *n, int32_t name))
{
    for (int i = 0; i < r->left->n_args; i++)
        if (!for_names(n, r->loop, r->left->arg[i], each)) return false;
    for (const dlpi_loop *l = r->loop; l; l = l->outer)
        if (!for_names(n, l->outer, l->range, each)) return false;
    return for_names(n, r->loop, r->right, each);
}

static bool is_known(struct names *n, int32_t name)
{
    return n->given[name] || n->computable[name];
}

static bool want(struct names *n, int32_t name)
{
    if (n->computed[name] && !n->given[name]) n->wanted[name] = 1;
    return true;
}

/* Takes out those that need something unknown, until there are no more. */
static void find_computable(struct names *n)
{
    const dlpi_model_syntax *const m = &n->owner->syntax;
    bool found = true;
    for (int32_t i = 0; i < n->n; i++) n->computable[i] = n->computed[i];
    while (found) { /* x[i] <- x[i-1] + 1 may need itself */
        found = false;
        for (int r = 0; r < m->n_relations; r++) {
            const dlpi_relation *const relation = &m->relation[r];
            if (relation->in_data || relation->stochastic ||
                !n->computable[left_of(relation)] || for_needs(n, relation, is_known))
                continue;
            n->computable[left_of(relation)] = 0;
            found = true;
        }
    }
}

static void look(struct names *n, const dlpi_data *data)
{
    const dlpi_model_syntax *const m = &n->owner->syntax;
    for (int i = 0; i < data->n; i++) {
        const int32_t name = dlpi_name_number(data->datum[i].name);
        if (name < n->n) n->given[name] = 1;
    }
    for (int r = 0; r < m->n_relations; r++) {
        const dlpi_relation *const relation = &m->relation[r];
        if (relation->in_data)
            n->given[left_of(relation)] = 1;
        else if (relation->stochastic)
            n->random[left_of(relation)] = 1;
        else
            n->computed[left_of(relation)] = 1;
    }
    find_computable(n);
}

/* Where the search begins; false: something else is wrong, too. */
static bool begin(struct names *n, const dlpi_diagnostics *found)
{
    for (int i = 0; i < found->n; i++) {
        const dlpi_diagnostic *const d = &found->item[i];
        if (!d->is_error) continue;
        if (!d->is_cycle && !d->transformed) return false;
        if (d->transformed) n->wanted[dlpi_name_number(d->transformed)] = 1;
        for (int32_t k = 0; d->is_cycle && k < n->n; k++)
            if (n->computable[k] && !n->random[k]) n->wanted[k] = 1;
    }
    return true;
}

/* And all that what is wanted needs; false: it needs unknowns. */
static bool complete(struct names *n, uint8_t *moved)
{
    const dlpi_model_syntax *const m = &n->owner->syntax;
    bool found = true, any = false;
    while (found) {
        found = false;
        for (int r = 0; r < m->n_relations; r++) {
            const dlpi_relation *const relation = &m->relation[r];
            if (relation->in_data || relation->stochastic || moved[r] ||
                !n->wanted[left_of(relation)])
                continue;
            if (!n->computable[left_of(relation)]) return false;
            for_needs(n, relation, want);
            moved[r] = found = any = true;
        }
    }
    return any;
}

uint8_t *dlpi_winbugs_transforms(const dlpi_owner *owner, const dlpi_data *data,
                                 const dlpi_diagnostics *found)
{
    const dlp_index names = owner->names.index.n;
    uint8_t *const room = dlpi_calloc(5 * names, 1);
    uint8_t *moved = dlpi_calloc(owner->syntax.n_relations + 1, 1);
    struct names n = {owner, names, room, NULL, NULL, NULL, NULL};
    if (room && moved) {
        n.computed = room + names;
        n.random = room + 2 * names;
        n.computable = room + 3 * names;
        n.wanted = room + 4 * names;
        look(&n, data);
    }
    if (!room || !moved || !begin(&n, found) || !complete(&n, moved)) {
        free(moved);
        moved = NULL;
    }
    free(room);
    return moved;
}

void dlpi_winbugs_warn(const dlpi_owner *owner, const dlpi_manner *manner,
                       dlpi_diagnostics *found)
{
    const dlpi_model_syntax *const m = &owner->syntax;
    if (manner->loose_range.line > 0)
        dlpi_report(found, false, &owner->source, manner->loose_range,
                    "this range ends after the sum, as in WinBUGS; JAGS reads 1:n-1 as "
                    "(1:n)-1, which is an error here: write 1:(n-1)");
    else if (m->bare_range.line > 0 && found->n_errors > 0)
        dlpi_report(found, false, &owner->source, m->bare_range,
                    "1:n-1 means (1:n)-1, as in JAGS; write 1:(n-1) where WinBUGS's "
                    "meaning is meant");
    if (found->n_errors > 0) return;
    for (int r = 0; manner->moved && r < m->n_relations; r++)
        if (manner->moved[r])
            dlpi_report(found, false, &owner->source, m->relation[r].place,
                        "'%s' is computed from the data and taken as data, as WinBUGS "
                        "does; for JAGS, move this line to data { }",
                        m->relation[r].left->name);
}
