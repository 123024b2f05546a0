/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Joint draws of discrete cells that share factors: cells are eliminated one after the
 * other, as in discrete.c but with numbers instead of expressions, and then drawn in
 * reverse order, each given the cells that were left when it was eliminated (on a chain:
 * forward filtering, backward sampling).
 */
#include "bugs/answer/nodes.h"
#include "bugs/plan/discrete.h"
#include "core/core.h"
#include "density/mix.h"

#include <math.h>
#include <string.h>

enum { MOST_JOINT = 2 * DLPI_MOST_TABLE_CELLS, BUCKETS = 4096 };
static const double MOST_NUMBERS = 3e7; /* in all tables of a component, for all draws */

/* ---- equal entries share a column ---- */

typedef struct known_column {
    struct known_column *next;
    uint64_t hash;
    dlpi_program_draft draft;
    double *p; /* (draws) */
} known_column;

struct dlpi_known_columns {
    known_column *bucket[BUCKETS];
    uint64_t key[2]; /* of the hash */
    double numbers;
};

void dlpi_known_columns_free(dlpi_known_columns *known)
{
    for (int i = 0; known && i < BUCKETS; i++)
        while (known->bucket[i]) {
            known_column *k = known->bucket[i];
            known->bucket[i] = k->next;
            dlpi_program_draft_free(&k->draft);
            free(k->p);
            free(k);
        }
    free(known);
}

static bool is_same(const dlpi_program_draft *a, const dlpi_program_draft *b)
{
    if (!dlpi_program_same(&a->program, &b->program)) return false;
    for (int i = 0; i < a->program.n_inputs; i++)
        if (a->cell[i] != b->cell[i] ||
            dlpi_bits_of(a->value[i]) != dlpi_bits_of(b->value[i]))
            return false;
    return true;
}

static uint64_t hash_of(const dlpi_known_columns *known, const dlpi_program_draft *d)
{
    struct dlpi_sip sip = dlpi_sip_begin(known->key);
    dlpi_program_hash(&d->program, &sip);
    for (int i = 0; i < d->program.n_inputs; i++) {
        dlpi_sip_add(&sip, (uint64_t)d->cell[i]);
        if (d->cell[i] < 0) dlpi_sip_add_number(&sip, d->value[i]);
    }
    return dlpi_sip_end(&sip);
}

/* Adds a column for the draft's program, which it takes over. */
static dlp_status add_column(dlpi_node_margins *m, dlpi_program_draft *d, uint64_t hash,
                             const double **p, dlp_error *error)
{
    const dlp_index draws = m->posterior->draws;
    known_column *new = dlpi_calloc(1, sizeof *new);
    double *column = dlpi_calloc(draws, sizeof *column);
    dlp_status status = new &&column ? DLP_OK : dlpi_no_memory(error, "the nodes");
    if (status == DLP_OK) status = dlpi_margins_run(m, d, column, error);
    if (status != DLP_OK) {
        free(new);
        free(column);
        return status;
    }
    known_column **bucket = &m->known->bucket[hash % BUCKETS];
    for (dlp_index i = 0; i < draws; i++) column[i] = exp(column[i]);
    *new = (known_column){*bucket, hash, *d, column};
    *bucket = new;
    *d = (dlpi_program_draft){0};
    m->known->numbers += (double)draws;
    *p = column;
    return DLP_OK;
}

/* exp of an expression for each draw; the margins own *p. */
static dlp_status column_for(dlpi_node_margins *m, dlpi_expr e, const double **p,
                             dlp_error *error)
{
    dlpi_program_draft d = {0};
    DLP_TRY(dlpi_program_make(m->factors->lowering->builder, e, &d, error));
    const uint64_t hash = hash_of(m->known, &d);
    const known_column *k = m->known->bucket[hash % BUCKETS];
    while (k && !(k->hash == hash && is_same(&k->draft, &d))) k = k->next;
    if (k) *p = k->p;
    const dlp_status status = k ? DLP_OK : add_column(m, &d, hash, p, error);
    dlpi_program_draft_free(&d);
    return status;
}

/* ---- tables of numbers ---- */

/* The elimination of a cell: the tables that contained it, and their remaining cells. */
typedef struct step {
    int n, cells[MOST_JOINT]; /* the cell itself first */
    int n_used, *used;
} step;

typedef struct numbers {
    dlpi_node_margins *m;
    dlpi_component c;
    int n_columns;
    const double ***column; /* (tables) a column per entry; NULL: probability 0 */
    double **own;           /* (tables) memory of columns that the margins do not own */
    step *step;             /* (cells) */
    int n_steps;
    int32_t *state; /* (cells, draws) from 0 on */
    bool fine;
} numbers;

static void clear(numbers *n)
{
    for (int i = 0; i < n->n_columns; i++) {
        free((void *)n->column[i]);
        free(n->own[i]);
    }
    for (int i = 0; i < n->n_steps; i++) free(n->step[i].used);
    free((void *)n->column);
    free((void *)n->own);
    free(n->step);
    free(n->state);
    dlpi_component_clear(&n->c);
}

static bool is_affordable(const numbers *n)
{
    double entries = 0;
    for (int k = 0; k < n->c.n_tables; k++) entries += (double)n->c.tables[k].size;
    return entries * (double)n->m->posterior->draws <= MOST_NUMBERS;
}

static dlp_status alloc(numbers *n, dlp_error *error)
{
    /* eliminating a cell adds a table */
    n->n_columns = n->c.n_tables + n->c.n_cells;
    n->column = dlpi_calloc(n->n_columns, sizeof *n->column);
    n->own = dlpi_calloc(n->n_columns, sizeof *n->own);
    n->step = dlpi_calloc(n->c.n_cells, sizeof *n->step);
    n->state =
        dlpi_calloc((dlp_index)n->c.n_cells * n->m->posterior->draws, sizeof *n->state);
    if (!n->m->known) {
        n->m->known = dlpi_calloc(1, sizeof *n->m->known);
        if (n->m->known) dlpi_sip_draw_key(n->m->known, n->m->known->key);
    }
    return n->column && n->own && n->step && n->state && n->m->known
               ? DLP_OK
               : dlpi_no_memory(error, "the nodes");
}

static dlp_status fill(numbers *n, dlp_error *error)
{
    const dlpi_builder *b = n->m->factors->lowering->builder;
    for (int k = 0; k < n->c.n_tables; k++) {
        const dlpi_table *t = &n->c.tables[k];
        n->column[k] = dlpi_calloc(t->size, sizeof *n->column[k]);
        if (!n->column[k]) return dlpi_no_memory(error, "the nodes");
        for (dlp_index i = 0; i < t->size; i++) {
            double v;
            const bool never = dlpi_is_number(b, t->log_p[i], &v) && v == -INFINITY;
            if (!never) DLP_TRY(column_for(n->m, t->log_p[i], &n->column[k][i], error));
        }
    }
    return DLP_OK;
}

/* ---- elimination ---- */

/* Marks the tables that contain the cell as used up. */
static dlp_status use(numbers *n, step *s, dlp_error *error)
{
    s->used = dlpi_calloc(n->c.n_tables, sizeof *s->used);
    if (!s->used) return dlpi_no_memory(error, "the nodes");
    for (int k = 0; k < n->c.n_tables; k++) {
        dlpi_table *t = &n->c.tables[k];
        if (!t->log_p || !dlpi_table_has(t, s->cells[0])) continue;
        free(t->log_p);
        t->log_p = NULL;
        s->used[s->n_used++] = k;
    }
    return DLP_OK;
}

/* sum += the product of the used tables at an entry of their joint table */
static void add_product(const numbers *n, const step *s, dlp_index entry, double *product,
                        double *sum)
{
    const dlp_index draws = n->m->posterior->draws;
    for (dlp_index i = 0; i < draws; i++) product[i] = 1;
    for (int u = 0; u < s->n_used; u++) {
        const int k = s->used[u];
        const double *p =
            n->column[k][dlpi_table_entry(&n->c, &n->c.tables[k], s->n, s->cells, entry)];
        if (!p) return;
        for (dlp_index i = 0; i < draws; i++) product[i] *= p[i];
    }
    for (dlp_index i = 0; i < draws; i++) sum[i] += product[i];
}

/* Scales the table so that the largest entry of each draw is 1. */
static void scale(numbers *n, dlp_index size, double *table)
{
    const dlp_index draws = n->m->posterior->draws;
    for (dlp_index i = 0; i < draws; i++) {
        double top = 0;
        for (dlp_index e = 0; e < size; e++) top = fmax(top, table[e * draws + i]);
        n->fine = n->fine && top > 0 && isfinite(top);
        for (dlp_index e = 0; e < size && top > 0; e++) table[e * draws + i] /= top;
    }
}

static dlp_status eliminate(numbers *n, dlp_error *error)
{
    const dlp_index draws = n->m->posterior->draws;
    step *s = &n->step[n->n_steps++];
    const int at = n->c.n_tables;
    dlpi_table *to;
    dlpi_component_next(&n->c, s->cells, &s->n);
    DLP_TRY(use(n, s, error));
    DLP_TRY(dlpi_component_table(&n->c, s->n - 1, s->cells + 1, &to, error));
    const dlp_index size = to->size;
    const int states = n->c.states[s->cells[0]];
    n->own[at] = dlpi_calloc((size + 1) * draws, sizeof **n->own);
    n->column[at] = dlpi_calloc(size, sizeof *n->column[at]);
    if (!n->own[at] || !n->column[at]) return dlpi_no_memory(error, "the nodes");
    for (dlp_index e = 0; e < size; e++) {
        n->column[at][e] = n->own[at] + e * draws;
        for (int k = 0; k < states; k++)
            add_product(n, s, e * states + k, n->own[at] + size * draws,
                        n->own[at] + e * draws);
    }
    scale(n, size, n->own[at]);
    n->c.gone[s->cells[0]] = true;
    return DLP_OK;
}

/* ---- drawing ---- */

/* The columns of the states of the step's cell in a table, with its neighbours in their
   states of draw i: the first column, and the distance between columns. */
static dlp_index place_of(const numbers *n, const dlpi_table *t, int cell, dlp_index i,
                          dlp_index *apart)
{
    const dlp_index draws = n->m->posterior->draws;
    dlp_index at = 0, stride = 1;
    for (int k = 0; k < t->n; k++) {
        if (t->cell[k] == cell)
            *apart = stride;
        else
            at += stride * n->state[t->cell[k] * draws + i];
        stride *= n->c.states[t->cell[k]];
    }
    return at;
}

/* weight (states) of the step's cell in draw i; returns how many are not 0. */
static int weigh_states(const numbers *n, const step *s, dlp_index i, double *weight)
{
    const int cell = s->cells[0], states = n->c.states[cell];
    int possible = 0;
    for (int k = 0; k < states; k++) weight[k] = 1;
    for (int u = 0; u < s->n_used; u++) {
        dlp_index apart = 1;
        const double **column = n->column[s->used[u]] +
                                place_of(n, &n->c.tables[s->used[u]], cell, i, &apart);
        for (int k = 0; k < states; k++)
            weight[k] *= column[k * apart] ? column[k * apart][i] : 0;
    }
    for (int k = 0; k < states; k++) possible += weight[k] > 0;
    return possible;
}

/* Adds the mean and mean square of the state under its weights: these vary less than the
   mean and mean square of the states drawn. */
static void add_moments(numbers *n, int cell, dlp_index i, const double *weight,
                        double total)
{
    const double *draw = n->m->posterior->weight;
    double *moment = n->m->moment + 3 * (dlp_index)n->c.cell[cell];
    double mean = 0, square = 0;
    for (int k = 0; k < n->c.states[cell]; k++) {
        const double state = n->c.low[cell] + k, p = weight[k] / total;
        mean += p * state;
        square += p * state * state;
    }
    moment[0] += draw ? draw[i] : 1;
    moment[1] += (draw ? draw[i] : 1) * mean;
    moment[2] += (draw ? draw[i] : 1) * square;
}

static void draw_step(numbers *n, const step *s, double *weight)
{
    const dlp_index draws = n->m->posterior->draws;
    const int cell = s->cells[0], states = n->c.states[cell];
    const uint64_t stream = dlpi_draw_stream(n->m->seed, n->c.cell[cell]);
    int32_t *state = n->state + cell * draws;
    for (dlp_index i = 0; i < draws; i++) {
        const int possible = weigh_states(n, s, i, weight);
        double total = 0, u = 0, sum = 0;
        for (int k = 0; k < states; k++) total += weight[k];
        n->fine = n->fine && total > 0;
        if (total > 0) add_moments(n, cell, i, weight, total);
        if (possible > 1) {
            dlp_rng rng = dlp_rng_at(stream, (uint64_t)i);
            u = total * dlp_draw_uniform(&rng);
        }
        for (int k = 0; k < states && (k == 0 || u >= sum); k++) {
            if (weight[k] > 0) state[i] = k;
            sum += weight[k];
        }
    }
}

static dlp_status draw_all(numbers *n, dlp_error *error)
{
    int most = 0;
    for (int c = 0; c < n->c.n_cells; c++)
        memset(n->m->moment + 3 * (dlp_index)n->c.cell[c], 0, 3 * sizeof *n->m->moment);
    for (int c = 0; c < n->c.n_cells; c++)
        if (n->c.states[c] > most) most = n->c.states[c];
    double *weight = dlpi_calloc(most, sizeof *weight);
    if (!weight) return dlpi_no_memory(error, "the nodes");
    for (int k = n->n_steps - 1; k >= 0 && n->fine; k--)
        draw_step(n, &n->step[k], weight);
    free(weight);
    return DLP_OK;
}

static dlp_status give_columns(numbers *n, dlp_error *error)
{
    const dlp_index draws = n->m->posterior->draws;
    for (int c = 0; c < n->c.n_cells; c++) {
        double **column = &n->m->column[n->c.cell[c]];
        if (!*column) *column = dlpi_calloc(draws, sizeof **column);
        if (!*column) return dlpi_no_memory(error, "the nodes");
        for (dlp_index i = 0; i < draws; i++)
            (*column)[i] = n->c.low[c] + n->state[c * draws + i];
    }
    return DLP_OK;
}

static dlp_status draw(numbers *n, dlp_error *error)
{
    DLP_TRY(alloc(n, error));
    DLP_TRY(fill(n, error));
    n->fine = true;
    while (n->n_steps < n->c.n_cells && n->fine) {
        DLP_TRY(eliminate(n, error));
        n->fine = n->fine && is_affordable(n);
    }
    if (n->fine) DLP_TRY(draw_all(n, error));
    return n->fine ? give_columns(n, error) : DLP_OK;
}

dlp_status dlpi_draw_together(dlpi_node_margins *m, dlp_index cell, bool *done,
                              dlp_error *error)
{
    numbers n = {.m = m};
    *done = false;
    if (m->known && m->known->numbers > MOST_NUMBERS) {
        dlpi_known_columns_free(m->known);
        m->known = NULL;
    }
    dlpi_lower_begin(m->factors->lowering);
    dlp_status status = dlpi_component_make(m->factors, cell, &n.c, error);
    if (status == DLP_OK && is_affordable(&n)) status = draw(&n, error);
    *done = status == DLP_OK && n.fine;
    clear(&n);
    return status;
}
