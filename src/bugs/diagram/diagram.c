/* SPDX-License-Identifier: BSD-3-Clause */
/* The contents of a plate diagram: nodes, edges and plates from a model's relations. */
#include "bugs/diagram/diagram.h"

#include "bugs/bugs.h"
#include "core/core.h"
#include "io/input.h"
#include "language/graph_owner.h"

#include <delaplace/file.h>
#include <stdio.h>
#include <string.h>

static bool grow(void **array, int n, int *room, size_t size)
{
    if (n < *room) return true;
    const int more = 2 * *room + 16;
    void *to = realloc(*array, (size_t)more * size);
    if (!to) return false;
    *array = to;
    *room = more;
    return true;
}

/* ---- plates ---- */

/* The plate of a loop, made together with those around it; -1: no loop, or out of memory.
   Loops over the same range in the same plate share one. */
static int plate_of(dlpi_diagram *d, const dlpi_loop *loop)
{
    char range[sizeof d->plate->range];
    if (!loop) return -1;
    const int parent = plate_of(d, loop->outer);
    dlpi_syntax_text(loop->range, range, sizeof range);
    for (int i = 0; i < d->n_plates; i++)
        if (d->plate[i].parent == parent && strcmp(d->plate[i].range, range) == 0)
            return i;
    if (!grow((void **)&d->plate, d->n_plates, &d->plates_room, sizeof *d->plate))
        return -1;
    d->plate[d->n_plates] = (dlpi_drawn_plate){.parent = parent, .loop = loop};
    memcpy(d->plate[d->n_plates].range, range, sizeof range);
    return d->n_plates++;
}

/* The largest index of a plate's loop, if it is the same throughout the plates around
   it. */
static void count_plate(dlpi_drawn_plate *p, const dlpi_graph *g)
{
    for (int r = 0; r < g->n_relations; r++) {
        const dlpi_relation *relation = g->of[r].relation;
        const dlpi_loop *loop = relation->loop;
        while (loop && loop != p->loop) loop = loop->outer;
        if (!loop || loop->range->depth >= 0) continue;
        for (dlp_index i = 0; i < g->of[r].n; i++) {
            const int32_t at = g->of[r].loop[i * relation->n_loops + loop->depth];
            if (at > p->most) p->most = at;
        }
        return;
    }
}

/* ---- nodes ---- */

static int find_node(const dlpi_diagram *d, const char *name)
{
    for (int i = 0; i < d->n_nodes; i++)
        if (strcmp(d->node[i].name, name) == 0) return i;
    return -1;
}

static int add_node(dlpi_diagram *d, const char *name, dlpi_drawn kind)
{
    const int at = find_node(d, name);
    if (at >= 0) return at;
    if (!grow((void **)&d->node, d->n_nodes, &d->nodes_room, sizeof *d->node)) return -1;
    d->node[d->n_nodes] = (dlpi_drawn_node){.name = name, .kind = kind, .plate = -1};
    return d->n_nodes++;
}

/* If several relations define a variable, the one in the most loops determines its
   plate. */
static bool add_left(dlpi_diagram *d, const dlpi_relation *r)
{
    const int at =
        add_node(d, r->left->name,
                 r->stochastic ? DLPI_DRAWN_STOCHASTIC : DLPI_DRAWN_DETERMINISTIC);
    if (at < 0) return false;
    if (r->stochastic) d->node[at].kind = DLPI_DRAWN_STOCHASTIC;
    if (d->node[at].relation && d->node[at].relation->n_loops >= r->n_loops) return true;
    d->node[at].relation = r;
    d->node[at].plate = plate_of(d, r->loop);
    return !r->loop || d->node[at].plate >= 0;
}

static void count_cells(dlpi_drawn_node *node, const dlpi_graph *g)
{
    for (int i = 0; i < g->n_arrays; i++) {
        const dlpi_array *a = &g->array[i];
        if (strcmp(a->name, node->name) != 0) continue;
        for (dlp_index c = a->first; c < a->first + a->size; c++) {
            node->observed += g->kind[c] == DLPI_CELL_OBSERVED;
            node->latent += g->kind[c] == DLPI_CELL_LATENT;
        }
    }
}

/* ---- edges ---- */

static bool add_edge(dlpi_diagram *d, int from, int to)
{
    if (from == to) {
        d->node[to].itself = true;
        return true;
    }
    for (int i = 0; i < d->n_edges; i++)
        if (d->edge[i].from == from && d->edge[i].to == to) return true;
    if (!grow((void **)&d->edge, d->n_edges, &d->edges_room, sizeof *d->edge))
        return false;
    d->edge[d->n_edges++] = (dlpi_drawn_edge){.from = from, .to = to};
    return true;
}

/* The innermost loop whose variable occurs directly in an index, not inside another
   variable: x[g[i]] belongs to the groups and not to i. */
static int depth_of(const dlpi_relation *r, const dlpi_syntax *s)
{
    if (s->kind == DLPI_SYNTAX_VARIABLE)
        return s->n_args == 0 ? dlpi_loop_depth(r, s->name) : -1;
    int deepest = -1;
    for (int i = 0; i < s->n_args; i++) {
        const int depth = depth_of(r, s->arg[i]);
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest;
}

static const dlpi_loop *loop_of(const dlpi_relation *r, const dlpi_syntax *s)
{
    int deepest = -1;
    for (int i = 0; i < s->n_args; i++) {
        const int depth = depth_of(r, s->arg[i]);
        deepest = depth > deepest ? depth : deepest;
    }
    const dlpi_loop *loop = deepest >= 0 ? r->loop : NULL;
    while (loop && loop->depth > deepest) loop = loop->outer;
    return loop;
}

/* Adds edges from all that an expression mentions, except constants in indices. */
static bool add_mentions(dlpi_diagram *d, const dlpi_relation *r, const dlpi_syntax *s,
                         bool in_index)
{
    const bool variable = s->kind == DLPI_SYNTAX_VARIABLE;
    if (variable && (s->n_args > 0 || dlpi_loop_depth(r, s->name) < 0)) {
        const int to = find_node(d, r->left->name);
        int from = find_node(d, s->name);
        if (from < 0 && !in_index) {
            from = add_node(d, s->name, DLPI_DRAWN_CONSTANT);
            if (from < 0) return false;
            d->node[from].plate = plate_of(d, loop_of(r, s));
        }
        const bool constant = from >= 0 && d->node[from].kind == DLPI_DRAWN_CONSTANT;
        if (from >= 0 && !(constant && in_index) && !add_edge(d, from, to)) return false;
    }
    for (int i = 0; i < s->n_args; i++)
        if (!add_mentions(d, r, s->arg[i], in_index || variable)) return false;
    return true;
}

static bool add_parents(dlpi_diagram *d, const dlpi_relation *r)
{
    return add_mentions(d, r, r->right, false) &&
           (!r->lower || add_mentions(d, r, r->lower, false)) &&
           (!r->upper || add_mentions(d, r, r->upper, false));
}

/* ---- the whole ---- */

/* "i in 1:N = 30" */
static void label_plate(dlpi_drawn_plate *p)
{
    const dlpi_syntax *range = p->loop->range;
    const bool number =
        range->kind == DLPI_SYNTAX_RANGE && range->arg[1]->kind == DLPI_SYNTAX_NUMBER;
    char count[32] = "";
    if (p->most > 0 && !number) snprintf(count, sizeof count, " = %td", p->most);
    snprintf(p->label, sizeof p->label, "%.30s in %s%s", p->loop->name, p->range, count);
}

dlp_status dlpi_diagram_make(const dlpi_model_syntax *model, const dlpi_graph *graph,
                             dlpi_diagram *d, dlp_error *error)
{
    enum { MOST = 400 };
    bool good = true;
    *d = (dlpi_diagram){0};
    for (int i = 0; i < model->n_relations && good; i++)
        if (!model->relation[i].in_data) good = add_left(d, &model->relation[i]);
    for (int i = 0; i < model->n_relations && good; i++)
        if (!model->relation[i].in_data) good = add_parents(d, &model->relation[i]);
    if (!good) return dlpi_no_memory(error, "the picture");
    if (d->n_nodes == 0)
        return dlp_fail(error, DLP_EINPUT, "the model has no relation: nothing to draw");
    if (d->n_nodes > MOST)
        return dlp_fail(
            error, DLP_EINPUT,
            "the model has %d variables: a picture of more than %d would not be legible",
            d->n_nodes, (int)MOST);
    for (int i = 0; i < d->n_nodes && graph; i++) count_cells(&d->node[i], graph);
    for (int i = 0; i < d->n_plates && graph; i++) count_plate(&d->plate[i], graph);
    for (int i = 0; i < d->n_plates; i++) label_plate(&d->plate[i]);
    return DLP_OK;
}

void dlpi_diagram_clear(dlpi_diagram *d)
{
    free(d->node);
    free(d->edge);
    free(d->plate);
    *d = (dlpi_diagram){0};
}

static dlp_status draw(const dlpi_model_syntax *model, const dlpi_graph *graph,
                       const char *title, char **svg, size_t *size, dlp_error *error)
{
    dlpi_diagram d = {0};
    dlp_status status = dlpi_diagram_make(model, graph, &d, error);
    if (status == DLP_OK) status = dlpi_diagram_place(&d, error);
    if (status == DLP_OK) status = dlpi_diagram_svg(&d, title, svg, size, error);
    dlpi_diagram_clear(&d);
    return status;
}

/* Draws a model from its text alone, without data. */
static dlp_status draw_text(const dlp_bugs_input *input, char **svg, size_t *size,
                            dlp_error *error)
{
    struct dlpi_pool pool = {0};
    struct dlpi_bytes bytes = {0};
    dlpi_names names = {.pool = &pool};
    dlpi_model_syntax syntax = {0};
    dlpi_source source = {.name = input->model_name ? input->model_name : "model",
                          .text = input->model_text};
    dlp_status status = DLP_OK;
    dlpi_diagnostics *found = dlpi_calloc(1, sizeof *found);
    if (!found) return dlpi_no_memory(error, "the model");
    if (input->model_path) {
        status = dlpi_input_read(input->model_path, NULL, &bytes, error);
        source.name = dlpi_input_name(input->model_path);
        source.text = bytes.data ? bytes.data : "";
        source.size = bytes.size;
    } else if (source.text) {
        source.size = strlen(source.text);
    } else {
        status = dlp_fail(error, DLP_EINVAL, "there is no model; give a path or a text");
    }
    if (status == DLP_OK)
        status = dlpi_bugs_parse(&source, &names, &syntax, found, error);
    if (status == DLP_OK) status = dlpi_diagnostics_status(found, error);
    if (status == DLP_OK) status = draw(&syntax, NULL, source.name, svg, size, error);
    free(bytes.data);
    dlpi_diagnostics_clear(found);
    free(found);
    dlpi_pool_free(&pool);
    return status;
}

dlp_status dlp_bugs_draw(const dlp_bugs_input *input, char **svg, size_t *size,
                         dlp_error *error)
{
    dlp_bugs *model = NULL;
    *svg = NULL;
    *size = 0;
    if (input->n_data_paths + input->n_data == 0 && !input->data_text)
        return draw_text(input, svg, size, error);
    dlp_status status = dlp_bugs_read(input, &model, error);
    if (status == DLP_OK) {
        const dlpi_owner *owner = dlpi_owner_of(model->graph);
        status = draw(&owner->syntax, model->graph, owner->source.name, svg, size, error);
    }
    dlp_bugs_free(model);
    return status;
}

dlp_status dlp_bugs_save_drawing(const dlp_bugs_input *input, const char *path,
                                 dlp_error *error)
{
    char *svg;
    size_t size;
    DLP_TRY(dlp_bugs_draw(input, &svg, &size, error));
    const dlp_status status = dlp_file_write(path, svg, size, error);
    free(svg);
    return status;
}
