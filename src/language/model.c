/* SPDX-License-Identifier: BSD-3-Clause */
#include "language/model.h"

#include "io/input.h"
#include "language/compile.h"
#include "language/winbugs.h"

#include <math.h>
#include <string.h>

struct reading {
    const dlpi_bugs_input *input;
    const dlpi_manner *manner;
    dlpi_diagnostics *found;
    dlpi_graph *graph;
    dlpi_owner *owner;
    struct dlpi_pool data_pool; /* texts, values of the data; freed after reading */
    dlpi_data data, inits;
    uint8_t *used;                        /* (names) something in the model mentions it */
    struct dlpi_progress told, *progress; /* of the caller; NULL: no one wants to know */
    dlp_error *error;
};

/* ---- texts ---- */

static dlp_status read_model(struct reading *r)
{
    const dlpi_bugs_input *const in = r->input;
    dlpi_owner *const o = r->owner;
    struct dlpi_bytes bytes = {0};
    const char *text = in->model_text;
    const char *name = in->model_name ? in->model_name : "model";
    size_t size = text ? strlen(text) : 0;
    if (in->model_path) {
        DLP_TRY(dlpi_input_read(in->model_path, r->progress, &bytes, r->error));
        name = dlpi_input_name(in->model_path);
        text = bytes.data ? bytes.data : "";
        size = bytes.size;
    } else if (!text) {
        return dlp_fail(r->error, DLP_EINVAL, "there is no model; give a path or a text");
    }
    o->source.name = dlpi_pool_copy(&o->pool, name, strlen(name));
    o->source.text = dlpi_pool_copy(&o->pool, text, size);
    o->source.size = size;
    free(bytes.data);
    if (!o->source.name || !o->source.text) return dlpi_no_memory_to_read(r->error, name);
    DLP_TRY(dlpi_bugs_parse(&o->source, r->manner->loose_range.line > 0, &o->names,
                            &o->syntax, r->found, r->error));
    for (int i = 0; r->manner->moved && i < o->syntax.n_relations; i++)
        o->syntax.relation[i].in_data |= r->manner->moved[i];
    return DLP_OK;
}

static dlp_status read_data(struct reading *r)
{
    const dlpi_bugs_input *const in = r->input;
    for (int i = 0; i < in->n_data_paths; i++)
        DLP_TRY(dlpi_data_read(&r->data, in->data_path[i], r->error));
    if (in->data_text)
        DLP_TRY(dlpi_data_parse(&r->data, in->data_name ? in->data_name : "data",
                                in->data_text, strlen(in->data_text), r->error));
    for (int i = 0; i < in->n_data; i++)
        DLP_TRY(dlpi_data_add_array(&r->data, in->data[i].name, in->data[i].n_dim,
                                    in->data[i].dim, in->data[i].value, r->error));
    r->inits.for_inits = true;
    for (int i = 0; i < in->n_inits_paths; i++)
        DLP_TRY(dlpi_data_read(&r->inits, in->inits_path[i], r->error));
    for (int i = 0; i < in->n_inits; i++)
        DLP_TRY(dlpi_data_add_array(&r->inits, in->inits[i].name, in->inits[i].n_dim,
                                    in->inits[i].dim, in->inits[i].value, r->error));
    return DLP_OK;
}

/* ---- graphs ---- */

static dlp_status run_phases(dlpi_compile *b, bool without_variables, dlp_error *error)
{
    DLP_TRY(dlpi_compile_names(b, without_variables, error));
    if (b->found->n_errors > 0) return DLP_OK;
    DLP_TRY(dlpi_compile_unroll(b, error));
    if (b->found->n_errors > 0) return DLP_OK;
    DLP_TRY(dlpi_compile_define(b, error));
    if (b->found->n_errors > 0) return DLP_OK;
    DLP_TRY(dlpi_compile_order(b, error));
    if (b->found->n_errors > 0 || b->in_data) return DLP_OK;
    return dlpi_compile_check(b, error);
}

static dlp_status build(struct reading *r, dlpi_graph *graph, bool in_data,
                        bool without_variables)
{
    dlp_error error = {0};
    dlpi_compile b = {.graph = graph, .owner = graph->owner, .data = &r->data};
    b.found = r->found;
    b.in_data = in_data;
    b.used = r->used;
    b.limit = r->input->limit > 0 ? r->input->limit : (dlp_index)1 << 28;
    b.e.graph = graph;
    b.e.most_taken = 4 * b.limit;
    b.e.error = &error;
    b.e.progress = r->progress;
    b.e.memo = dlpi_memo_alloc(b.owner->syntax.n_nodes);
    dlp_status status = run_phases(&b, without_variables, r->error);
    if (status != DLP_OK && r->error && error.message[0] && !r->error->message[0])
        *r->error = error;
    dlpi_memo_free(b.e.memo);
    free(b.e.stack);
    return status;
}

/* ---- data{} ---- */

static bool has_data_block(const dlpi_owner *o)
{
    for (int i = 0; i < o->syntax.n_relations; i++)
        if (o->syntax.relation[i].in_data) return true;
    return false;
}

static void refuse_random_data(struct reading *r)
{
    for (int i = 0; i < r->owner->syntax.n_relations; i++) {
        const dlpi_relation *relation = &r->owner->syntax.relation[i];
        if (relation->in_data && relation->stochastic)
            dlpi_report(
                r->found, true, &r->owner->source, relation->place,
                "'~' in data{} draws data at random, which is not supported; draw "
                "them beforehand and give them as data");
    }
}

/* What data{} computed becomes data. */
static dlp_status take_computed(struct reading *r, const dlpi_graph *g)
{
    for (int i = 0; i < g->n_arrays; i++) {
        const dlpi_array *a = &g->array[i];
        bool computed = false;
        for (int k = 0; k < g->n_relations; k++)
            computed |= g->of[k].relation->left->name == a->name;
        if (!computed) continue;
        const dlpi_data_array *given = dlpi_data_find(&r->data, a->name);
        if (given) { /* its missing elements were computed */
            memcpy((double *)given->value, g->value + a->first,
                   (size_t)a->size * sizeof(double));
            continue;
        }
        DLP_TRY(dlpi_data_add_array(&r->data, a->name, a->n_dim, a->dim,
                                    g->value + a->first, r->error));
        r->used[dlpi_name_number(a->name)] = 1; /* not the user's data: no warning */
    }
    return DLP_OK;
}

/* Makes a graph of data{}, and keeps only its values. */
static dlp_status run_data_block(struct reading *r)
{
    refuse_random_data(r);
    if (r->found->n_errors > 0 || !has_data_block(r->owner)) return DLP_OK;
    dlpi_graph *g = dlpi_calloc(1, sizeof *g);
    dlpi_owner *o = dlpi_calloc(1, sizeof *o);
    if (!g || !o) {
        free(g);
        free(o);
        return dlpi_no_memory(r->error, "the data block");
    }
    *o = *r->owner; /* names, text and syntax belong to the model */
    o->pool = (struct dlpi_pool){0};
    g->owner = o;
    dlp_status status = build(r, g, true, false);
    if (status == DLP_OK && r->found->n_errors == 0) status = take_computed(r, g);
    dlpi_graph_free(g);
    return status;
}

/* ---- initial values ---- */

static void take_inits(struct reading *r)
{
    dlpi_graph *const g = r->graph;
    for (int i = 0; i < r->inits.n; i++) {
        const dlpi_data_array *d = &r->inits.datum[i];
        const dlpi_array *a = dlpi_name_number(d->name) < r->owner->n_names
                                  ? dlpi_find_array(g, d->name)
                                  : NULL;
        if (!a) {
            dlpi_report(r->found, false, d->source, d->place,
                        "'%s' has an initial value, but is not in the model", d->name);
        } else if (d->n != a->size) {
            dlpi_report(r->found, true, d->source, d->place,
                        "'%s' has %lld initial values, but %lld elements in the model",
                        d->name, (long long)d->n, (long long)a->size);
        } else if (d->n > 0) {
            memcpy(g->start + a->first, d->value, (size_t)d->n * sizeof *g->start);
        }
    }
}

/* ---- all of it ---- */

static dlp_status read_all(struct reading *r)
{
    DLP_TRY(read_model(r));
    const bool partly = r->found->n_errors > 0; /* relations are missing */
    DLP_TRY(read_data(r));
    r->used = dlpi_pool_take(&r->data_pool, r->owner->names.index.n, 1);
    if (!r->used) return dlpi_no_memory(r->error, "the names of the model");
    if (!partly) DLP_TRY(run_data_block(r));
    if (r->found->n_errors > 0 && !partly) return DLP_OK;
    DLP_TRY(build(r, r->graph, false, partly));
    if (r->found->n_errors == 0) take_inits(r);
    return DLP_OK;
}

/* What another way of reading could make of a model with errors. */
struct hints {
    dlpi_position range; /* one that WinBUGS reads otherwise; line 0: none */
    uint8_t *transforms; /* as of dlpi_winbugs_transforms */
};

static void finish(struct reading *r, dlp_status status, dlpi_graph **graph,
                   struct hints *hints)
{
    if (status == DLP_EINPUT && r->found->n_errors > 0) {
        hints->range = r->owner->syntax.bare_range;
        hints->transforms = dlpi_winbugs_transforms(r->owner, &r->data, r->found);
    }
    r->owner->datum_of = NULL; /* what it points to is freed */
    dlpi_pool_free(&r->data_pool);
    if (status == DLP_OK)
        *graph = r->graph;
    else
        dlpi_graph_free(r->graph);
}

static dlp_status read_as(const dlpi_bugs_input *input, const dlpi_manner *manner,
                          dlpi_graph **graph, dlpi_diagnostics *found,
                          struct hints *hints, dlp_error *error)
{
    struct reading r = {.input = input, .manner = manner, .found = found};
    dlp_error own = {0};
    *graph = NULL;
    *hints = (struct hints){0};
    r.error = error ? error : &own;
    r.error->message[0] = '\0';
    r.graph = dlpi_calloc(1, sizeof *r.graph);
    r.owner = dlpi_calloc(1, sizeof *r.owner);
    if (!r.graph || !r.owner) {
        free(r.graph);
        free(r.owner);
        return dlpi_no_memory(error, "the model");
    }
    r.graph->owner = r.owner;
    r.owner->names.pool = &r.owner->pool;
    r.progress = dlpi_progress_for(input->progress, input->context, "reading", &r.told);
    r.data = r.inits = (dlpi_data){.pool = &r.data_pool,
                                   .names = &r.owner->names,
                                   .found = found,
                                   .progress = r.progress};
    dlp_status status = read_all(&r);
    /* whatever failed then, failed for that */
    if (dlpi_progress_stops(r.progress, 0))
        status = dlp_fail(r.error, DLP_ECANCELLED, "cancelled by the caller");
    if (status == DLP_OK) dlpi_winbugs_warn(r.owner, manner, found);
    if (status == DLP_OK) status = dlpi_diagnostics_status(found, error);
    finish(&r, status, graph, hints);
    return status;
}

/* Reads once more in this manner and then, if that is all that is wrong, with the
   relations moved that transform data. True: it holds together. */
static bool read_again(const dlpi_bugs_input *input, dlpi_manner manner,
                       dlpi_graph **graph, dlpi_diagnostics *found)
{
    dlpi_diagnostics *other = dlpi_calloc(1, sizeof *other);
    struct hints hints;
    if (!other) return false;
    bool read = read_as(input, &manner, graph, other, &hints, NULL) == DLP_OK;
    if (!read && hints.transforms && !manner.moved) {
        manner.moved = hints.transforms;
        read = read_again(input, manner, graph, found);
    } else if (read || manner.moved) { /* data transformed: the rest is what is wrong */
        dlpi_diagnostics_clear(found);
        *found = *other;
        *other = (dlpi_diagnostics){0};
    }
    free(hints.transforms);
    dlpi_diagnostics_clear(other);
    free(other);
    return read;
}

dlp_status dlpi_bugs_read(const dlpi_bugs_input *input, dlpi_graph **graph,
                          dlpi_diagnostics *found, dlp_error *error)
{
    struct hints hints;
    dlp_status status = read_as(input, &(dlpi_manner){0}, graph, found, &hints, error);
    const dlpi_manner moved = {.moved = hints.transforms}, loose = {hints.range, NULL};
    if ((hints.transforms && read_again(input, moved, graph, found)) ||
        (hints.range.line > 0 && read_again(input, loose, graph, found))) {
        if (error) error->message[0] = '\0';
        status = DLP_OK;
    }
    free(hints.transforms);
    return status;
}
