/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Classes of identical leaves: their rows have the same data and the same other unknowns,
 * like persons with the same answers. One leaf of each class is integrated out, and
 * counts as often as the class has leaves. These first leaves are numbered before all
 * others.
 */
#include "bugs/plan/plan.h"
#include "core/core.h"
#include "core/sip.h"
#include "density/mix.h"

#include <string.h>

typedef struct classing {
    const dlpi_factors *f;
    dlpi_plan *plan;
    uint64_t key[2];  /* of the hash */
    uint64_t *hash;   /* (L) */
    dlp_index *begin; /* (L + 1) its rows, */
    int32_t *table;   /*     each a template, */
    int32_t *row;     /*     and a row of it */
    int32_t *bucket;  /* (mask + 1) leaf + 1; 0: free */
    uint32_t mask;
    int32_t *first; /* (L) the first leaf of its class */
    int32_t *number;
} classing;

static void clear(classing *c)
{
    free(c->hash);
    free(c->begin);
    free(c->table);
    free(c->row);
    free(c->bucket);
    free(c->first);
    free(c->number);
}

static int32_t leaf_of(const classing *c, const dlpi_template *t, dlp_index row)
{
    for (int i = 0; i < t->n_cells; i++)
        if (c->plan->leaf[t->cell[i][row]] >= 0) return c->plan->leaf[t->cell[i][row]];
    return -1;
}

/* How a leaf sees a cell: which of its own cells it is, or which other cell. */
static int64_t meaning(const classing *c, int32_t cell)
{
    return c->plan->leaf[cell] >= 0 ? -1 - c->plan->at[cell] : cell;
}

/* Adds one more row to the hash of those before. */
static uint64_t hash_of(const classing *c, uint64_t before, int k, dlp_index row)
{
    const dlpi_template *t = &c->f->of[k];
    struct dlpi_sip sip = dlpi_sip_begin(c->key);
    dlpi_sip_add(&sip, before);
    dlpi_sip_add(&sip, (uint64_t)k);
    for (int i = 0; i < t->n_data; i++) dlpi_sip_add_number(&sip, t->data[i][row]);
    for (int i = 0; i < t->n_cells; i++)
        dlpi_sip_add(&sip, (uint64_t)meaning(c, t->cell[i][row]));
    return dlpi_sip_end(&sip);
}

static bool same_row(const classing *c, int k, dlp_index a, dlp_index b)
{
    const dlpi_template *t = &c->f->of[k];
    for (int i = 0; i < t->n_data; i++)
        if (dlpi_bits_of(t->data[i][a]) != dlpi_bits_of(t->data[i][b])) return false;
    for (int i = 0; i < t->n_cells; i++)
        if (meaning(c, t->cell[i][a]) != meaning(c, t->cell[i][b])) return false;
    return true;
}

static bool same_leaf(const classing *c, dlp_index a, dlp_index b)
{
    const dlp_index n = c->begin[a + 1] - c->begin[a];
    if (c->hash[a] != c->hash[b] || c->begin[b + 1] - c->begin[b] != n) return false;
    for (dlp_index i = 0; i < n; i++) {
        const dlp_index p = c->begin[a] + i, q = c->begin[b] + i;
        if (c->table[p] != c->table[q] || !same_row(c, c->table[p], c->row[p], c->row[q]))
            return false;
    }
    return true;
}

/* Hashes, and how many rows each leaf has. */
static void look_at_rows(classing *c)
{
    for (int k = 0; k < c->f->n_templates; k++)
        for (dlp_index r = 0; r < c->f->of[k].n; r++) {
            const int32_t l = leaf_of(c, &c->f->of[k], r);
            if (l < 0) continue;
            c->hash[l] = hash_of(c, c->hash[l], k, r);
            c->begin[l + 1]++;
        }
}

static dlp_status list_rows(classing *c, dlp_error *error)
{
    const dlp_index L = c->plan->L;
    for (dlp_index l = 0; l < L; l++) c->begin[l + 1] += c->begin[l];
    c->table = dlpi_calloc(c->begin[L], sizeof *c->table);
    c->row = dlpi_calloc(c->begin[L], sizeof *c->row);
    dlp_index *next = dlpi_calloc(L, sizeof *next);
    const bool failed = !c->table || !c->row || !next;
    if (!failed) memcpy(next, c->begin, (size_t)L * sizeof *next);
    for (int k = 0; k < c->f->n_templates && !failed; k++)
        for (dlp_index r = 0; r < c->f->of[k].n; r++) {
            const int32_t l = leaf_of(c, &c->f->of[k], r);
            if (l < 0) continue;
            c->table[next[l]] = k;
            c->row[next[l]++] = (int32_t)r;
        }
    free(next);
    return failed ? dlpi_no_memory(error, "the plan") : DLP_OK;
}

/* Finds the first leaf of each leaf's class, comparing hashes only or all rows; returns
   the number of classes. */
static dlp_index find_classes(classing *c, bool by_rows)
{
    dlp_index classes = 0;
    memset(c->bucket, 0, ((size_t)c->mask + 1) * sizeof *c->bucket);
    for (dlp_index l = 0; l < c->plan->L; l++) {
        uint32_t at = (uint32_t)c->hash[l] & c->mask;
        while (c->bucket[at] && (by_rows ? !same_leaf(c, c->bucket[at] - 1, l)
                                         : c->hash[c->bucket[at] - 1] != c->hash[l]))
            at = (at + 1) & c->mask;
        if (!c->bucket[at]) {
            c->bucket[at] = (int32_t)l + 1;
            classes++;
        }
        c->first[l] = c->bucket[at] - 1;
    }
    return classes;
}

/* Renumbers leaves: the first of every class come before the others. */
static dlp_status renumber(classing *c, dlp_index classes, dlp_error *error)
{
    dlpi_plan *plan = c->plan;
    const dlp_index L = plan->L;
    int32_t first = 0, other = (int32_t)classes;
    int32_t *cells = dlpi_calloc(2 * L, sizeof *cells);
    plan->alike = dlpi_calloc(L, sizeof *plan->alike);
    plan->next_alike = dlpi_calloc(L, sizeof *plan->next_alike);
    plan->times = dlpi_calloc(classes, sizeof *plan->times);
    if (!cells || !plan->alike || !plan->next_alike || !plan->times) {
        free(cells);
        return dlpi_no_memory(error, "the plan");
    }
    for (dlp_index l = 0; l < L; l++) c->number[l] = c->first[l] == l ? first++ : other++;
    memcpy(cells, plan->leaf_cell, (size_t)(2 * L) * sizeof *cells);
    for (dlp_index l = 0; l < L; l++) {
        const int32_t to = c->number[l];
        plan->alike[to] = c->number[c->first[l]];
        plan->times[plan->alike[to]]++;
        for (int i = 0; i < 2; i++) {
            const int32_t cell = plan->leaf_cell[2 * to + i] = cells[2 * l + i];
            if (cell >= 0) plan->leaf[cell] = to;
        }
    }
    for (dlp_index l = 0; l < classes; l++) cells[l] = -1; /* no longer needed */
    for (dlp_index l = L - 1; l >= 0; l--) {
        const int32_t of = plan->alike[l];
        plan->next_alike[l] = -1;
        if (l < classes) continue;
        plan->next_alike[l] = cells[of];
        cells[of] = (int32_t)l;
    }
    for (dlp_index l = 0; l < classes; l++) plan->next_alike[l] = cells[l];
    plan->classes = classes;
    free(cells);
    return DLP_OK;
}

static dlp_status make(classing *c, dlp_error *error)
{
    const dlp_index L = c->plan->L, worth = L - L / 4;
    c->mask = 63;
    while (c->mask < 2 * (uint64_t)L && c->mask < UINT32_MAX / 2)
        c->mask = 2 * c->mask + 1;
    c->hash = dlpi_calloc(L, sizeof *c->hash);
    c->begin = dlpi_calloc(L + 1, sizeof *c->begin);
    c->bucket = dlpi_calloc((dlp_index)c->mask + 1, sizeof *c->bucket);
    c->first = dlpi_calloc(L, sizeof *c->first);
    c->number = dlpi_calloc(L, sizeof *c->number);
    if (!c->hash || !c->begin || !c->bucket || !c->first || !c->number)
        return dlpi_no_memory(error, "the plan");
    look_at_rows(c);
    if (find_classes(c, false) > worth) return DLP_OK;
    DLP_TRY(list_rows(c, error));
    const dlp_index classes = find_classes(c, true);
    return classes > worth ? DLP_OK : renumber(c, classes, error);
}

dlp_status dlpi_plan_class_leaves(const dlpi_factors *f, dlpi_plan *plan,
                                  dlp_error *error)
{
    const dlp_index few = 8;
    classing c = {.f = f, .plan = plan};
    plan->classes = plan->L;
    if (plan->L < few) return DLP_OK;
    dlpi_sip_draw_key(&c, c.key);
    const dlp_status status = make(&c, error);
    clear(&c);
    return status;
}
