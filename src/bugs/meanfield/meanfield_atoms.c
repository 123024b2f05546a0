/* SPDX-License-Identifier: BSD-3-Clause */
/* Terms, and the atoms that are functions of coordinates: rows that share a program. */
#include "bugs/meanfield/meanfield.h"
#include "core/core.h"

#include <math.h>
#include <string.h>

enum { MOST_SLOTS = 64, MOST_TERMS = 32 };

/* ---- growing ---- */

static bool grow(void **array, dlp_index room, size_t size)
{
    void *to = realloc(*array, (size_t)(room > 0 ? room : 1) * size);
    if (to) *array = to;
    return to != NULL;
}
#define GROW(array, room) grow((void **)&(array), (room), sizeof *(array))

static dlp_status no_memory(dlp_error *error)
{
    return dlpi_no_memory(error, "the factors of the model");
}

dlp_status dlpi_meanfield_add_term(dlpi_meanfield *mf, double c, int n,
                                   const int32_t *atom, dlp_error *error)
{
    if (n == 0) {
        mf->constant += c;
        return DLP_OK;
    }
    if (mf->n_terms == mf->terms_room) {
        const dlp_index room = 2 * mf->terms_room + 64;
        if (!GROW(mf->c, room) || !GROW(mf->begin, room + 1)) return no_memory(error);
        mf->begin[0] = 0;
        mf->terms_room = room;
    }
    if (mf->n_uses + n > mf->uses_room) {
        const dlp_index room = 2 * mf->uses_room + 64 + n;
        if (!GROW(mf->use, room)) return no_memory(error);
        mf->uses_room = room;
    }
    mf->c[mf->n_terms++] = c;
    memcpy(mf->use + mf->n_uses, atom, (size_t)n * sizeof *atom);
    mf->n_uses += n;
    mf->begin[mf->n_terms] = mf->n_uses;
    return DLP_OK;
}

/* ---- shapes ---- */

static void clear_shape(dlpi_atoms *a)
{
    dlpi_slots_clear(&a->slots);
    free(a->slot);
    free(a->is_cell);
    free(a->value);
    free(a->coordinate);
    free(a->atom);
    free(a->constant);
    free(a->coef);
}

static dlp_status list_entries(dlpi_atoms *a, dlp_error *error)
{
    for (int j = 0; j < a->slots.k; j++) a->n_entries += a->slots.n_terms[j];
    a->slot = dlpi_calloc(2 * a->n_entries + 1, sizeof *a->slot);
    if (!a->slot) return no_memory(error);
    a->input = a->slot + a->n_entries;
    for (int j = 0, e = 0; j < a->slots.k; j++)
        for (int i = 0; i < a->slots.n_terms[j]; i++, e++) {
            a->slot[e] = j;
            a->input[e] = a->slots.term[j][i];
        }
    return DLP_OK;
}

static dlp_status add_shape(dlpi_meanfield *mf, int32_t number, dlp_error *error)
{
    const dlpi_program_draft *draft = &mf->factors->draft;
    if (mf->n_shapes == mf->shapes_room) {
        const int room = 2 * mf->shapes_room + 16;
        if (!GROW(mf->shape, room)) return no_memory(error);
        mf->shapes_room = room;
    }
    dlpi_atoms *a = &mf->shape[mf->n_shapes++];
    *a = (dlpi_atoms){.program = dlpi_program_table_at(mf->table, number)};
    a->n_inputs = a->program->n_inputs;
    a->is_cell = dlpi_calloc(a->n_inputs + 1, sizeof *a->is_cell);
    if (!a->is_cell) return no_memory(error);
    for (int i = 0; i < a->n_inputs; i++) a->is_cell[i] = draft->cell[i] >= 0;
    DLP_TRY(dlpi_slots_make(a->program, a->is_cell, &a->slots, error));
    if (a->slots.k > MOST_SLOTS)
        return dlp_fail(error, DLP_EINPUT,
                        "a factor is a nonlinear function of %d unknowns, more than %d",
                        a->slots.k, (int)MOST_SLOTS);
    return list_entries(a, error);
}

/* ---- rows ---- */

static uint64_t hash_row(const dlpi_meanfield *mf, int32_t number)
{
    const dlpi_program_draft *d = &mf->factors->draft;
    struct dlpi_sip sip = dlpi_sip_begin(mf->key);
    dlpi_sip_add(&sip, (uint64_t)number);
    for (int i = 0; i < d->program.n_inputs; i++)
        if (d->cell[i] < 0)
            dlpi_sip_add_number(&sip, d->value[i]);
        else
            dlpi_sip_add(&sip, (uint64_t)d->cell[i]);
    return dlpi_sip_end(&sip);
}

static bool same_bits(double a, double b)
{
    uint64_t x, y;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    return x == y;
}

static bool same_row(const dlpi_meanfield *mf, int32_t number, dlp_index row)
{
    const dlpi_program_draft *d = &mf->factors->draft;
    const dlpi_atoms *a = &mf->shape[number];
    for (int i = 0; i < a->n_inputs; i++)
        if (a->is_cell[i] ? a->coordinate[row * a->n_inputs + i] != d->cell[i]
                          : !same_bits(a->value[row * a->n_inputs + i], d->value[i]))
            return false;
    return true;
}

/* The bucket of the draft's row: empty (0), or its number plus 1. */
static uint32_t *find_bucket(dlpi_meanfield *mf, int32_t number)
{
    const dlp_index mask = mf->n_buckets - 1;
    dlp_index at = (dlp_index)(hash_row(mf, number) & (uint64_t)mask);
    for (;; at = (at + 1) & mask) {
        const uint32_t row = mf->bucket[at];
        if (row == 0 || (mf->atoms_of[row - 1] == number &&
                         same_row(mf, number, mf->row_of[row - 1])))
            return &mf->bucket[at];
    }
}

static uint64_t hash_stored(const dlpi_meanfield *mf, dlp_index atom)
{
    const int32_t number = mf->atoms_of[atom];
    const dlpi_atoms *a = &mf->shape[number];
    const dlp_index at = mf->row_of[atom] * a->n_inputs;
    struct dlpi_sip sip = dlpi_sip_begin(mf->key);
    dlpi_sip_add(&sip, (uint64_t)number);
    for (int i = 0; i < a->n_inputs; i++)
        if (a->is_cell[i])
            dlpi_sip_add(&sip, (uint64_t)a->coordinate[at + i]);
        else
            dlpi_sip_add_number(&sip, a->value[at + i]);
    return dlpi_sip_end(&sip);
}

static dlp_status grow_rows(dlpi_meanfield *mf, dlp_error *error)
{
    if (mf->n_rows == mf->rows_room) {
        const dlp_index room = 2 * mf->rows_room + 256;
        if (!GROW(mf->row_of, room) || !GROW(mf->atoms_of, room)) return no_memory(error);
        mf->rows_room = room;
    }
    if (2 * mf->n_rows < mf->n_buckets) return DLP_OK;
    if (mf->n_buckets == 0) dlpi_sip_draw_key(mf, mf->key);
    const dlp_index n = mf->n_buckets ? 2 * mf->n_buckets : 1024, mask = n - 1;
    uint32_t *to = dlpi_calloc(n, sizeof *to);
    if (!to) return no_memory(error);
    for (dlp_index i = 0; i < mf->n_rows; i++) {
        dlp_index at = (dlp_index)(hash_stored(mf, i) & (uint64_t)mask);
        while (to[at]) at = (at + 1) & mask;
        to[at] = (uint32_t)i + 1;
    }
    free(mf->bucket);
    mf->bucket = to;
    mf->n_buckets = n;
    return DLP_OK;
}

static dlp_status add_row(dlpi_meanfield *mf, int32_t number, dlp_error *error)
{
    const dlpi_program_draft *d = &mf->factors->draft;
    dlpi_atoms *a = &mf->shape[number];
    if (a->n == a->room) {
        const dlp_index room = 2 * a->room + 4;
        if (!GROW(a->value, room * a->n_inputs) || !GROW(a->atom, room) ||
            !GROW(a->coordinate, room * a->n_inputs))
            return no_memory(error);
        a->room = room;
    }
    for (int i = 0; i < a->n_inputs; i++) {
        a->value[a->n * a->n_inputs + i] = a->is_cell[i] ? 0 : d->value[i];
        a->coordinate[a->n * a->n_inputs + i] = (int32_t)d->cell[i];
    }
    a->atom[a->n] = (int32_t)mf->n_rows;
    mf->atoms_of[mf->n_rows] = number;
    mf->row_of[mf->n_rows++] = (int32_t)a->n++;
    return DLP_OK;
}

dlp_status dlpi_meanfield_atom(dlpi_meanfield *mf, dlpi_expr e, int32_t *atom,
                               dlp_error *error)
{
    int32_t number;
    DLP_TRY(
        dlpi_program_make(mf->factors->lowering->builder, e, &mf->factors->draft, error));
    DLP_TRY(dlpi_program_table_find(mf->table, &mf->factors->draft, &number, error));
    if (number == mf->n_shapes) DLP_TRY(add_shape(mf, number, error));
    DLP_TRY(grow_rows(mf, error));
    uint32_t *bucket = find_bucket(mf, number);
    if (*bucket == 0) {
        DLP_TRY(add_row(mf, number, error));
        *bucket = (uint32_t)mf->n_rows;
    }
    *atom = (int32_t)(mf->n_stats + *bucket - 1);
    return DLP_OK;
}

void dlpi_meanfield_forget(dlpi_meanfield *mf)
{
    for (int i = 0; i < mf->n_shapes; i++) clear_shape(&mf->shape[i]);
    dlpi_program_table_free(mf->table);
    mf->table = NULL;
    free(mf->bucket);
    mf->bucket = NULL;
    mf->n_buckets = mf->n_rows = mf->n_terms = mf->n_uses = 0;
    mf->n_shapes = 0;
    mf->constant = 0;
}

/* ---- sealing ---- */

/* The c and a_i of a slot c + sum a_i x_i: its value and gradient at 0, for the terms
   from `first` on. */
static void set_terms(dlpi_meanfield *mf, dlpi_atoms *a, int j, int entry, int first,
                      int terms)
{
    for (dlp_index at = 0; at < a->n; at += DLPI_BATCH) {
        const dlp_index n = a->n - at < DLPI_BATCH ? a->n - at : DLPI_BATCH;
        for (int i = 0; i < a->n_inputs; i++) {
            double *to = mf->batch + (dlp_index)i * DLPI_BATCH;
            mf->input[i] = to;
            mf->slot[i] = -1;
            for (dlp_index r = 0; r < n; r++)
                to[r] = a->value[(at + r) * a->n_inputs + i];
        }
        for (int i = 0; i < terms; i++) mf->slot[a->slots.term[j][first + i]] = i;
        dlpi_program_run(&a->slots.affine[j], n, mf->input, terms, mf->slot, 1, mf->jet,
                         mf->room);
        for (dlp_index r = 0; r < n; r++) {
            a->constant[(at + r) * a->slots.k + j] = mf->jet[r];
            for (int i = 0; i < terms; i++)
                a->coef[(at + r) * a->n_entries + entry + first + i] =
                    mf->jet[(1 + i) * n + r];
        }
    }
}

static dlp_status set_slots(dlpi_meanfield *mf, dlpi_atoms *a, dlp_error *error)
{
    a->constant = dlpi_calloc(a->n * a->slots.k + 1, sizeof *a->constant);
    a->coef = dlpi_calloc(a->n * a->n_entries + 1, sizeof *a->coef);
    if (!a->constant || !a->coef) return no_memory(error);
    for (int j = 0, entry = 0; j < a->slots.k; entry += a->slots.n_terms[j++])
        for (int i = 0; i < a->slots.n_terms[j]; i += MOST_TERMS) {
            const int left = a->slots.n_terms[j] - i;
            set_terms(mf, a, j, entry, i, left < MOST_TERMS ? left : MOST_TERMS);
        }
    /* from cells to coordinates */
    for (dlp_index r = 0; r < a->n * a->n_inputs; r++) {
        const int32_t cell = a->coordinate[r];
        if (cell >= 0)
            a->coordinate[r] = (int32_t)(mf->q[mf->q_of[cell]].at + mf->place[cell]);
    }
    return DLP_OK;
}

/* Room for every program, with derivatives up to mf->order. */
static dlp_status make_room(dlpi_meanfield *mf, dlp_error *error)
{
    size_t room = 1;
    dlp_index inputs = 1, jets = MOST_TERMS + 1, slots = 1;
    for (int i = 0; i < mf->n_shapes; i++) {
        const dlpi_atoms *a = &mf->shape[i];
        const int all = a->n_inputs + a->slots.k;
        int *slot = dlpi_calloc(all + 1, sizeof *slot);
        if (!slot) return no_memory(error);
        for (int k = 0; k < all; k++) slot[k] = k < a->n_inputs ? -1 : k - a->n_inputs;
        size_t here = dlpi_program_room(&a->slots.body, a->slots.k, mf->order, slot);
        room = here > room ? here : room;
        for (int j = 0; j < a->slots.k; j++) {
            const int n = a->slots.n_terms[j], terms = n < MOST_TERMS ? n : MOST_TERMS;
            for (int k = 0; k < all; k++) slot[k] = -1;
            for (int k = 0; k < n; k++)
                slot[a->slots.term[j][k]] = k < terms ? k : terms - 1;
            here = dlpi_program_room(&a->slots.affine[j], terms, 1, slot);
            room = here > room ? here : room;
        }
        free(slot);
        inputs = all > inputs ? all : inputs;
        slots = a->slots.k > slots ? a->slots.k : slots;
        const dlp_index size = dlpi_jet_size(a->slots.k, mf->order);
        jets = size > jets ? size : jets;
    }
    if (room == SIZE_MAX) return no_memory(error);
    mf->jet = dlpi_calloc(2 * jets * DLPI_BATCH, sizeof *mf->jet);
    mf->room = dlpi_calloc((dlp_index)room, sizeof *mf->room);
    mf->batch = dlpi_calloc((inputs + slots) * DLPI_BATCH, sizeof *mf->batch);
    mf->spread = dlpi_calloc(slots * slots * (DLPI_BATCH + 2), sizeof *mf->spread);
    mf->input = dlpi_calloc(inputs, sizeof *mf->input);
    mf->slot = dlpi_calloc(inputs, sizeof *mf->slot);
    if (!mf->jet || !mf->room || !mf->batch || !mf->spread || !mf->input || !mf->slot)
        return no_memory(error);
    mf->sum = mf->jet + jets * DLPI_BATCH;
    mf->slots = mf->batch + inputs * DLPI_BATCH;
    return DLP_OK;
}

/* Finds the terms that use each atom. */
static dlp_status list_users(dlpi_meanfield *mf, dlp_error *error)
{
    const dlp_index n = mf->n_stats + mf->n_rows;
    mf->user_begin = dlpi_calloc(n + 2, sizeof *mf->user_begin);
    mf->user = dlpi_calloc(mf->n_uses, sizeof *mf->user);
    if (!mf->user_begin || !mf->user) return no_memory(error);
    dlp_index *at = mf->user_begin + 1;
    for (dlp_index u = 0; u < mf->n_uses; u++) at[mf->use[u] + 1]++;
    for (dlp_index i = 0; i < n; i++) at[i + 1] += at[i];
    for (dlp_index t = 0; t < mf->n_terms; t++)
        for (dlp_index u = mf->begin[t]; u < mf->begin[t + 1]; u++)
            mf->user[at[mf->use[u]]++] = t;
    return DLP_OK;
}

/* The q of a row's coordinates, each once. */
static int factors_of_row(const dlpi_meanfield *mf, const dlpi_atoms *a, dlp_index row,
                          int32_t *q)
{
    int n = 0;
    for (int i = 0; i < a->n_inputs; i++) {
        if (!a->is_cell[i]) continue;
        const int32_t of = mf->q_of_coordinate[a->coordinate[row * a->n_inputs + i]];
        bool seen = false;
        for (int k = 0; k < n && !seen; k++) seen = q[k] == of;
        if (!seen) q[n++] = of;
    }
    return n;
}

/* Rows of each Gaussian, shape by shape. */
static dlp_status list_members(dlpi_meanfield *mf, dlp_error *error)
{
    dlp_index most = 1, total = 0;
    for (int i = 0; i < mf->n_shapes; i++)
        if (mf->shape[i].n_inputs > most) most = mf->shape[i].n_inputs;
    int32_t *q = dlpi_calloc(most, sizeof *q);
    if (!q) return no_memory(error);
    for (dlp_index i = 0; i < mf->n_q; i++) {
        mf->q[i].n_atoms = 0;
        mf->q[i].quadratic = mf->q[i].apart = true;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < mf->n_shapes; i++)
            for (dlp_index r = 0; r < mf->shape[i].n; r++) {
                const int n = factors_of_row(mf, &mf->shape[i], r, q);
                for (int k = 0; k < n; k++) {
                    dlpi_q *of = &mf->q[q[k]];
                    if (pass) mf->member[of->atom + of->n_atoms] = mf->shape[i].atom[r];
                    of->n_atoms++;
                    of->apart = of->apart && n == 1;
                    of->quadratic =
                        of->quadratic && n == 1 && mf->shape[i].slots.degree <= 2;
                }
            }
        for (dlp_index i = 0; i < mf->n_q && !pass; i++) {
            mf->q[i].atom = total;
            total += mf->q[i].n_atoms;
            mf->q[i].n_atoms = 0;
        }
        if (!pass) mf->member = dlpi_calloc(total, sizeof *mf->member);
        if (!mf->member) break;
    }
    free(q);
    return mf->member ? DLP_OK : no_memory(error);
}

/* Enough for the largest factor: k^2 numbers for each of its rows. */
static dlp_status make_roots(dlpi_meanfield *mf, dlp_error *error)
{
    dlp_index most = 0;
    for (dlp_index i = 0; i < mf->n_q; i++) {
        dlp_index size = 0;
        for (dlp_index k = 0; k < mf->q[i].n_atoms && !mf->q[i].apart; k++) {
            const int slots =
                mf->shape[mf->atoms_of[mf->member[mf->q[i].atom + k]]].slots.k;
            size += (dlp_index)slots * slots;
        }
        most = size > most ? size : most;
    }
    mf->root = dlpi_calloc(most, sizeof *mf->root);
    return mf->root ? DLP_OK : no_memory(error);
}

dlp_status dlpi_meanfield_seal(dlpi_meanfield *mf, dlp_error *error)
{
    const dlp_index n = mf->n_coordinates;
    mf->expected = dlpi_calloc(mf->n_stats + mf->n_rows, sizeof *mf->expected);
    mf->natural = dlpi_calloc(mf->n_stats + mf->n_rows, sizeof *mf->natural);
    mf->mean = dlpi_calloc(2 * n, sizeof *mf->mean);
    mf->q_of_coordinate = dlpi_calloc(n, sizeof *mf->q_of_coordinate);
    if (!mf->expected || !mf->natural || !mf->mean || !mf->q_of_coordinate)
        return no_memory(error);
    mf->weight = mf->natural + mf->n_stats;
    mf->variance = mf->mean + n;
    for (dlp_index i = 0; i < mf->n_q; i++)
        for (int32_t k = 0; k < mf->q[i].n && dlpi_is_gaussian(mf, (int32_t)i); k++)
            mf->q_of_coordinate[mf->q[i].at + k] = (int32_t)i;
    DLP_TRY(make_room(mf, error));
    for (int i = 0; i < mf->n_shapes; i++) DLP_TRY(set_slots(mf, &mf->shape[i], error));
    DLP_TRY(list_users(mf, error));
    DLP_TRY(list_members(mf, error));
    return make_roots(mf, error);
}
