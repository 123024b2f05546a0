/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Merges rows with equal data and equal unknowns: among many capture histories or
 * answers, few are distinct. Each distinct row is kept once, and its log density is
 * multiplied by its count.
 */
#include "bugs/plan/factors.h"
#include "core/core.h"
#include "core/sip.h"
#include "density/mix.h"

#include <string.h>

typedef struct merging {
    dlpi_template *t;
    uint32_t mask;
    uint64_t key[2]; /* of the hash */
    int32_t *bucket; /* (mask + 1) row + 1; 0: free */
    double *weight;  /* (n) how often a row is there; 0: merged into another */
} merging;

static uint32_t hash_of(const merging *m, dlp_index row)
{
    const dlpi_template *t = m->t;
    struct dlpi_sip sip = dlpi_sip_begin(m->key);
    for (int i = 0; i < t->n_data; i++) dlpi_sip_add_number(&sip, t->data[i][row]);
    for (int i = 0; i < t->n_cells; i++) dlpi_sip_add(&sip, (uint64_t)t->cell[i][row]);
    return (uint32_t)dlpi_sip_end(&sip);
}

static bool is_same(const dlpi_template *t, dlp_index a, dlp_index b)
{
    for (int i = 0; i < t->n_data; i++)
        if (dlpi_bits_of(t->data[i][a]) != dlpi_bits_of(t->data[i][b])) return false;
    for (int i = 0; i < t->n_cells; i++)
        if (t->cell[i][a] != t->cell[i][b]) return false;
    return true;
}

/* Sets the weights; returns how many rows are left. */
static dlp_index weigh_rows(merging *m)
{
    const dlpi_template *t = m->t;
    dlp_index left = 0;
    for (dlp_index r = 0; r < t->n; r++) {
        m->weight[r] = 1;
        if (t->owner[r] >= 0) { /* a prior: its node refers to this row */
            left++;
            continue;
        }
        uint32_t at = hash_of(m, r) & m->mask;
        while (m->bucket[at] && !is_same(t, m->bucket[at] - 1, r))
            at = (at + 1) & m->mask;
        if (m->bucket[at]) {
            m->weight[m->bucket[at] - 1]++;
            m->weight[r] = 0;
        } else {
            m->bucket[at] = (int32_t)r + 1;
            left++;
        }
    }
    return left;
}

/* The program, with its result multiplied by one more input. */
static dlp_status weigh_program(dlpi_factors *f, dlpi_template *t, dlp_error *error)
{
    const int n = t->program->n;
    int32_t number;
    dlpi_program_draft draft = {
        .program = {.n = n + 2, .n_inputs = t->program->n_inputs + 1},
        .owner = (int32_t)(t - f->of) + 1};
    draft.program.code = dlpi_calloc(n + 2, sizeof *draft.program.code);
    if (!draft.program.code) return dlpi_no_memory(error, "the factors of the model");
    memcpy(draft.program.code, t->program->code, (size_t)n * sizeof *draft.program.code);
    draft.program.code[n] =
        (dlpi_instruction){.op = DLPI_OP_DATA, .arg = {t->program->n_inputs, -1, -1}};
    draft.program.code[n + 1] =
        (dlpi_instruction){.op = DLPI_OP_MUL, .arg = {n, n - 1, -1}};
    const dlp_status status = dlpi_program_table_find(f->table, &draft, &number, error);
    free(draft.program.code);
    if (status == DLP_OK) t->program = dlpi_program_table_at(f->table, number);
    return status;
}

/* A column of data for the weights: `weight` becomes the template's. */
static dlp_status add_column(dlpi_template *t, double *weight, dlp_error *error)
{
    const size_t inputs = (size_t)t->program->n_inputs + 1;
    int *column = realloc(t->column, inputs * sizeof *column);
    if (column) t->column = column;
    double **data = realloc((void *)t->data, ((size_t)t->n_data + 1) * sizeof *data);
    if (data) t->data = data;
    if (!column || !data) return dlpi_no_memory(error, "the factors of the model");
    t->column[inputs - 1] = t->n_data;
    t->data[t->n_data++] = weight;
    return DLP_OK;
}

static void move_rows(dlpi_factors *f, dlpi_template *t, const double *weight)
{
    dlp_index n = 0;
    for (dlp_index r = 0; r < t->n; r++) {
        const double w = weight[r];
        if (w == 0) continue;
        for (int i = 0; i < t->n_data; i++) t->data[i][n] = t->data[i][r];
        for (int i = 0; i < t->n_cells; i++) t->cell[i][n] = t->cell[i][r];
        t->owner[n] = t->owner[r];
        if (t->owner[n] >= 0) f->node[t->owner[n]].at_row = (int32_t)n;
        n++;
    }
    t->n = n;
}

static dlp_status merge(dlpi_factors *f, dlpi_template *t, dlp_error *error)
{
    merging m = {.t = t, .mask = 63};
    while (m.mask < 2 * (uint64_t)t->n && m.mask < UINT32_MAX / 2)
        m.mask = 2 * m.mask + 1;
    dlpi_sip_draw_key(&m, m.key);
    m.bucket = dlpi_calloc((dlp_index)m.mask + 1, sizeof *m.bucket);
    m.weight = dlpi_calloc(t->room > t->n ? t->room : t->n, sizeof *m.weight);
    if (!m.bucket || !m.weight) {
        free(m.bucket);
        free(m.weight);
        return dlpi_no_memory(error, "the factors of the model");
    }
    const dlp_index left = weigh_rows(&m);
    free(m.bucket);
    if (4 * left > 3 * t->n) { /* the weights would cost as much */
        free(m.weight);
        return DLP_OK;
    }
    dlp_status status = add_column(t, m.weight, error);
    if (status != DLP_OK) {
        free(m.weight);
        return status;
    }
    DLP_TRY(weigh_program(f, t, error));
    move_rows(f, t, m.weight);
    return DLP_OK;
}

dlp_status dlpi_factors_merge(dlpi_factors *f, dlp_error *error)
{
    const dlp_index few = 16;
    for (int k = 0; k < f->n_templates; k++)
        if (f->of[k].n >= few) DLP_TRY(merge(f, &f->of[k], error));
    return DLP_OK;
}
