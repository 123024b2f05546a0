/* SPDX-License-Identifier: BSD-3-Clause */
/* Collects and checks names: arrays, functions, distributions. */
#include "core/suggest.h"
#include "density/distribution.h"
#include "language/advice.h"
#include "language/compile.h"

#include <stdio.h>
#include <string.h>

/* ---- functions ---- */

static const char *suggest_function(const char *name)
{
    struct dlpi_suggestion s = dlpi_suggestion_for(name);
    const dlpi_number_function *f;
    for (int i = 0; (f = dlpi_number_function_at(i)) != NULL; i++)
        dlpi_suggestion_consider(&s, f->name);
    const dlpi_bugs_function *other;
    for (int i = 0; (other = dlpi_bugs_function_at(i)) != NULL; i++)
        dlpi_suggestion_consider(&s, other->name);
    return s.best;
}

static const char *suggest_distribution(const char *name)
{
    struct dlpi_suggestion s = dlpi_suggestion_for(name);
    const dlpi_distribution *d;
    for (int i = 0; (d = dlpi_distribution_at(i)) != NULL; i++)
        dlpi_suggestion_consider(&s, d->name);
    return s.best;
}

static void wrong_count(dlpi_compile *b, const dlpi_syntax *call, int least, int most,
                        const char *params)
{
    char wanted[40];
    if (most < 0)
        snprintf(wanted, sizeof wanted, "at least %d", least);
    else if (least == most)
        snprintf(wanted, sizeof wanted, "%d", least);
    else
        snprintf(wanted, sizeof wanted, "%d to %d", least, most);
    dlpi_report(b->found, true, &b->owner->source, call->place,
                "%s takes %s argument%s%s%s%s, not %d", call->name, wanted,
                least == 1 && most == 1 ? "" : "s", params ? " (" : "",
                params ? params : "", params ? ")" : "", call->n_args);
}

static void check_function(dlpi_compile *b, const dlpi_syntax *call)
{
    const dlpi_number_function *f = dlpi_number_function_find(call->name);
    b->owner->function_of[dlpi_name_number(call->name)] = f;
    if (f) {
        if (call->n_args < f->n_args ||
            (f->n_args_max >= 0 && call->n_args > f->n_args_max))
            wrong_count(b, call, f->n_args, f->n_args_max, NULL);
        return;
    }
    const dlpi_bugs_function *other = dlpi_bugs_function_find(call->name);
    if (other) {
        if (call->n_args == other->n_args - 1 && dlpi_distribution_find(call->name))
            dlpi_report(b->found, true, &b->owner->source, call->place,
                        "after '<-', %s is a density and its first argument a value; if "
                        "this is the distribution of a node, write '~'",
                        call->name);
        else if (call->n_args < other->n_args ||
                 (other->n_args_max >= 0 && call->n_args > other->n_args_max))
            wrong_count(b, call, other->n_args, other->n_args_max, NULL);
        return;
    }
    const char *suggestion = suggest_function(call->name);
    if (dlpi_distribution_find(call->name))
        dlpi_report(b->found, true, &b->owner->source, call->place,
                    "'%s' is a distribution; use it after '~'", call->name);
    else if (dlpi_function_advice(call->name))
        dlpi_report(b->found, true, &b->owner->source, call->place,
                    "unknown function '%s': %s", call->name,
                    dlpi_function_advice(call->name));
    else if (suggestion)
        dlpi_report(b->found, true, &b->owner->source, call->place,
                    "unknown function '%s'; did you mean '%s'?", call->name, suggestion);
    else
        dlpi_report(b->found, true, &b->owner->source, call->place,
                    "unknown function '%s'", call->name);
}

static void check_distribution(dlpi_compile *b, const dlpi_syntax *call)
{
    const dlpi_distribution *d = dlpi_distribution_find(call->name);
    if (!d) {
        const char *suggestion = suggest_distribution(call->name);
        if (dlpi_distribution_advice(call->name))
            dlpi_report(b->found, true, &b->owner->source, call->place,
                        "unknown distribution '%s': %s", call->name,
                        dlpi_distribution_advice(call->name));
        else if (suggestion)
            dlpi_report(b->found, true, &b->owner->source, call->place,
                        "unknown distribution '%s'; did you mean '%s'?", call->name,
                        suggestion);
        else
            dlpi_report(b->found, true, &b->owner->source, call->place,
                        "unknown distribution '%s'", call->name);
    } else if (call->n_args < d->n_params ||
               (d->n_params_max >= 0 && call->n_args > d->n_params_max)) {
        wrong_count(b, call, d->n_params, d->n_params_max, d->params);
    }
}

/* ---- variables ---- */

static const char *suggest_array(const dlpi_compile *b, const char *name)
{
    struct dlpi_suggestion s = dlpi_suggestion_for(name);
    for (int i = 0; i < b->graph->n_arrays && i < 2000; i++)
        dlpi_suggestion_consider(&s, b->graph->array[i].name);
    return s.best;
}

struct walk {
    dlpi_compile *b;
    const dlpi_relation *relation; /* NULL: a declaration */
    const dlpi_loop *loop;         /* loops whose variables a name may be */
    bool without_variables;
};

static bool is_loop(const struct walk *w, const char *name)
{
    for (const dlpi_loop *l = w->loop; l; l = l->outer)
        if (l->name == name) return true;
    return false;
}

static void check_variable(struct walk *w, const dlpi_syntax *s)
{
    dlpi_compile *const b = w->b;
    const int32_t array = b->owner->array_of[dlpi_name_number(s->name)];
    if (s->n_args == 0 && is_loop(w, s->name)) return;
    b->used[dlpi_name_number(s->name)] = 1;
    if (array >= 0 || w->without_variables) return;
    const char *suggestion = suggest_array(b, s->name);
    char hint[120] = "give it a prior or add it to the data";
    if (!strcmp(s->name, "TRUE") || !strcmp(s->name, "FALSE"))
        snprintf(hint, sizeof hint, "write %d", s->name[0] == 'T');
    else if (suggestion)
        snprintf(hint, sizeof hint, "did you mean '%.80s'?", suggestion);
    for (int i = 0; i < b->found->n;
         i++) { /* one message per name: equal names are one pointer */
        const dlpi_syntax *told = b->found->item[i].undefined;
        if (told && told->name == s->name) return;
    }
    char message[400];
    snprintf(message, sizeof message,
             "node '%.80s' is not defined and not in the data (used at %d:%d); %s",
             s->name, s->place.line, s->place.column, hint);
    const dlpi_position place = w->relation ? w->relation->place : s->place;
    dlpi_diagnostic *d =
        dlpi_report(b->found, true, &b->owner->source, place, "%s", message);
    if (d) d->undefined = s;
}

static void check_syntax(struct walk *w, const dlpi_syntax *s)
{
    if (s->kind == DLPI_SYNTAX_CALL) check_function(w->b, s);
    if (s->kind == DLPI_SYNTAX_VARIABLE) check_variable(w, s);
    for (int i = 0; i < s->n_args; i++) check_syntax(w, s->arg[i]);
}

static void check_args(struct walk *w, const dlpi_syntax *s)
{
    for (int i = 0; i < s->n_args; i++) check_syntax(w, s->arg[i]);
}

static void check_relation(dlpi_compile *b, const dlpi_relation *r,
                           bool without_variables)
{
    struct walk w = {b, r, r->loop, without_variables};
    check_args(&w, r->left);
    if (r->stochastic) {
        check_distribution(b, r->right);
        check_args(&w, r->right);
    } else {
        check_syntax(&w, r->right);
    }
    if (r->lower) check_syntax(&w, r->lower);
    if (r->upper) check_syntax(&w, r->upper);
    for (const dlpi_loop *l = r->loop; l; l = l->outer) {
        w.loop = l->outer;
        w.relation = NULL; /* errors are then placed at the range */
        check_syntax(&w, l->range);
    }
}

/* ---- arrays ---- */

static dlpi_array *add_array(dlpi_compile *b, const char *name)
{
    int32_t *const number = &b->owner->array_of[dlpi_name_number(name)];
    if (*number >= 0) return &b->graph->array[*number];
    *number = b->graph->n_arrays++;
    dlpi_array *a = &b->graph->array[*number];
    *a = (dlpi_array){.name = name, .n_dim = -1, .size = 1, .first = -1};
    return a;
}

static void add_datum(dlpi_compile *b, const dlpi_data_array *datum)
{
    dlpi_array *a = add_array(b, datum->name);
    a->in_data = true;
    a->n_dim = datum->n_dim;
    a->size = datum->n;
    for (int d = 0; d < datum->n_dim; d++) a->dim[d] = datum->dim[d];
    a->first = b->graph->n_cells;
    b->graph->n_cells += datum->n;
    b->owner->datum_of[a - b->graph->array] = datum;
}

/* The data come first, so that loops and sizes can be computed from their cells. */
static dlp_status add_data(dlpi_compile *b, dlp_error *error)
{
    dlpi_graph *const g = b->graph;
    for (int i = 0; i < b->data->n; i++) add_datum(b, &b->data->datum[i]);
    g->value = dlpi_calloc(g->n_cells, sizeof *g->value);
    if (!g->value) return dlpi_no_memory(error, "the data");
    for (int i = 0; i < b->data->n; i++) {
        const dlpi_data_array *datum = &b->data->datum[i];
        if (datum->n > 0)
            memcpy(g->value + dlpi_find_array(g, datum->name)->first, datum->value,
                   (size_t)datum->n * sizeof *g->value);
    }
    return DLP_OK;
}

static void add_left(dlpi_compile *b, const dlpi_relation *r)
{
    dlpi_array *a = add_array(b, r->left->name);
    b->has_left[a - b->graph->array] = 1;
    const int n_dim = r->left->n_args;
    if (a->n_dim < 0) {
        a->n_dim = n_dim;
        return;
    }
    const int known = a->n_dim > 0 ? a->n_dim : 1;
    if (n_dim == 0) return; /* all of it */
    if ((n_dim > 0 ? n_dim : 1) != known || (a->first < 0 && n_dim != a->n_dim))
        dlpi_report(b->found, true, &b->owner->source, r->left->place,
                    "'%s' has %d %s here and %d elsewhere%s", a->name, n_dim,
                    n_dim == 1 ? "index" : "indices", a->n_dim,
                    a->in_data ? " (in the data)" : "");
}

static bool is_mine(const dlpi_compile *b, const dlpi_relation *r)
{
    return r->in_data == b->in_data;
}

static dlp_status take_relations(dlpi_compile *b, dlp_error *error)
{
    const dlpi_model_syntax *const m = &b->owner->syntax;
    dlpi_graph *const g = b->graph;
    g->of = dlpi_calloc(m->n_relations + 1, sizeof *g->of);
    if (!g->of) return dlpi_no_memory(error, "the model");
    for (int r = 0; r < m->n_relations; r++)
        if (is_mine(b, &m->relation[r]))
            g->of[g->n_relations++].relation = &m->relation[r];
    return DLP_OK;
}

static dlp_status take_names(dlpi_compile *b, dlp_error *error)
{
    dlpi_owner *const o = b->owner;
    dlpi_graph *const g = b->graph;
    const dlp_index n = o->names.index.n;
    o->n_names = (int32_t)n;
    o->array_of = dlpi_pool_take(&o->pool, n, sizeof *o->array_of);
    o->function_of = dlpi_pool_take(&o->pool, n, sizeof *o->function_of);
    o->datum_of = dlpi_pool_take(&o->pool, n, sizeof *o->datum_of);
    b->has_left = dlpi_pool_take(&o->pool, n, 1);
    g->array = dlpi_calloc(n, sizeof *g->array);
    if (!o->array_of || !o->function_of || !o->datum_of || !b->has_left || !g->array)
        return dlpi_no_memory(error, "the names of the model");
    for (dlp_index i = 0; i < n; i++) o->array_of[i] = -1;
    return take_relations(b, error);
}

dlp_status dlpi_compile_names(dlpi_compile *b, bool without_variables, dlp_error *error)
{
    const dlpi_model_syntax *const m = &b->owner->syntax;
    DLP_TRY(take_names(b, error));
    DLP_TRY(add_data(b, error));
    for (int i = 0; i < m->n_declarations; i++)
        add_array(b, m->declaration[i].variable->name);
    /* Declared, but defined in the other block or nowhere: ignored here. */
    for (int i = 0; i < m->n_declarations; i++) {
        dlpi_array *a = add_array(b, m->declaration[i].variable->name);
        if (a->n_dim < 0) a->n_dim = m->declaration[i].variable->n_args;
    }
    for (int r = 0; r < b->graph->n_relations; r++) add_left(b, b->graph->of[r].relation);
    for (int i = 0; i < m->n_declarations; i++) {
        struct walk w = {b, NULL, NULL, without_variables};
        check_args(&w, m->declaration[i].variable);
    }
    for (int r = 0; r < b->graph->n_relations; r++)
        check_relation(b, b->graph->of[r].relation, without_variables);
    return DLP_OK;
}
