/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns expressions into lists of instructions, and keeps a table of distinct
   programs. */
#include "density/program.h"

#include "core/core.h"
#include "density/builder.h"
#include "density/mix.h"

#include <math.h>
#include <string.h>

/* ---- drafts ---- */

void dlpi_program_draft_free(dlpi_program_draft *draft)
{
    free(draft->program.code);
    free(draft->cell);
    free(draft->value);
    *draft = (dlpi_program_draft){0};
}

static bool reserve_code(dlpi_program_draft *d)
{
    if (d->program.n < d->code_room) return true;
    const int room = d->code_room ? 2 * d->code_room : 64;
    dlpi_instruction *code = realloc(d->program.code, (size_t)room * sizeof *code);
    if (!code) return false;
    d->program.code = code;
    d->code_room = room;
    return true;
}

static bool reserve_inputs(dlpi_program_draft *d)
{
    if (d->program.n_inputs < d->input_room) return true;
    const int room = d->input_room ? 2 * d->input_room : 32;
    dlp_index *cell = realloc(d->cell, (size_t)room * sizeof *cell);
    if (cell) d->cell = cell;
    double *value = realloc(d->value, (size_t)room * sizeof *value);
    if (value) d->value = value;
    if (!cell || !value) return false;
    d->input_room = room;
    return true;
}

/* Adds the instruction of a node whose arguments already have theirs. */
static bool emit(dlpi_builder *b, dlpi_expr e, dlpi_program_draft *d)
{
    dlpi_built *built = &b->built[e];
    const dlpi_expr_node *node = &built->node;
    dlpi_instruction in = {.op = (uint16_t)node->op, .arg = {-1, -1, -1}};
    if (!reserve_code(d)) return false;
    if (node->op == DLPI_OP_DATA || node->op == DLPI_OP_CELL) {
        const bool cell = node->op == DLPI_OP_CELL;
        if (!reserve_inputs(d)) return false;
        const int i = in.arg[0] = d->program.n_inputs++;
        d->cell[i] = cell ? node->cell : -1;
        d->value[i] = cell ? NAN : node->number;
    } else if (node->op == DLPI_OP_LITERAL) {
        in.literal = node->number;
    } else {
        for (int i = 0; i < 3 && node->arg[i] >= 0; i++)
            in.arg[i] = b->built[node->arg[i]].place;
    }
    built->place = d->program.n;
    built->visit = b->visit;
    d->program.code[d->program.n++] = in;
    return true;
}

static bool push(dlpi_builder *b, dlp_index *depth, dlpi_expr e)
{
    if (*depth == b->stack_room) {
        const dlp_index room = b->stack_room ? 2 * b->stack_room : 64;
        dlpi_expr *stack = realloc(b->stack, (size_t)room * sizeof *stack);
        if (!stack) return false;
        b->stack = stack;
        b->stack_room = room;
    }
    b->stack[(*depth)++] = e;
    return true;
}

/* The first argument that has no instruction yet; -1: none. */
static dlpi_expr missing_argument(const dlpi_builder *b, const dlpi_expr_node *node)
{
    if (node->op <= DLPI_OP_CELL) return -1; /* those of data tell where they come from */
    for (int i = 0; i < 3 && node->arg[i] >= 0; i++)
        if (b->built[node->arg[i]].visit != b->visit) return node->arg[i];
    return -1;
}

dlp_status dlpi_program_make(dlpi_builder *b, dlpi_expr root, dlpi_program_draft *d,
                             dlp_error *error)
{
    dlp_index depth = 0;
    d->program.n = d->program.n_inputs = 0;
    d->owner = 0;
    b->visit++;
    for (dlp_index e = 0; b->visit == 0 && e < b->n; e++) b->built[e].visit = 0;
    b->visit += b->visit == 0;
    bool ok = !b->failed && push(b, &depth, root);
    while (ok && depth > 0) {
        const dlpi_expr e = b->stack[depth - 1];
        const dlpi_expr missing = missing_argument(b, dlpi_at(b, e));
        if (missing >= 0) {
            ok = push(b, &depth, missing);
            continue;
        }
        ok = emit(b, e, d);
        depth--;
    }
    return ok ? DLP_OK : dlpi_no_memory(error, "the instructions of a log density");
}

/* ---- the table ---- */

static bool same_instruction(const dlpi_instruction *a, const dlpi_instruction *b)
{
    return a->op == b->op && a->arg[0] == b->arg[0] && a->arg[1] == b->arg[1] &&
           a->arg[2] == b->arg[2] && dlpi_bits_of(a->literal) == dlpi_bits_of(b->literal);
}

bool dlpi_program_same(const dlpi_program *a, const dlpi_program *b)
{
    if (a->n != b->n || a->n_inputs != b->n_inputs) return false;
    for (int i = 0; i < a->n; i++)
        if (!same_instruction(&a->code[i], &b->code[i])) return false;
    return true;
}

void dlpi_program_hash(const dlpi_program *program, struct dlpi_sip *sip)
{
    for (int i = 0; i < program->n; i++) {
        const dlpi_instruction *in = &program->code[i];
        dlpi_sip_add(sip, (uint64_t)in->op << 32 | (uint32_t)in->arg[0]);
        dlpi_sip_add(sip, (uint64_t)(uint32_t)in->arg[1] << 32 | (uint32_t)in->arg[2]);
        if (in->op == DLPI_OP_LITERAL) dlpi_sip_add_number(sip, in->literal);
    }
}

typedef struct entry {
    dlpi_program *program;
    int32_t owner;
    uint64_t hash;
} entry;

struct dlpi_program_table {
    entry *entry; /* (n) */
    int32_t n, room;
    int32_t *bucket; /* (mask + 1) number + 1; 0: free */
    uint32_t mask;
    uint64_t key[2]; /* of the hash */
};

dlp_status dlpi_program_table_alloc(dlpi_program_table **table, dlp_error *error)
{
    const uint32_t buckets = 64;
    dlpi_program_table *t = *table = dlpi_calloc(1, sizeof *t);
    if (!t) return dlpi_no_memory(error, "programs");
    t->bucket = calloc(buckets, sizeof *t->bucket);
    t->mask = buckets - 1;
    dlpi_sip_draw_key(t, t->key);
    if (t->bucket) return DLP_OK;
    free(t);
    *table = NULL;
    return dlpi_no_memory(error, "programs");
}

void dlpi_program_table_free(dlpi_program_table *t)
{
    if (!t) return;
    for (int32_t i = 0; i < t->n; i++) {
        free(t->entry[i].program->code);
        free(t->entry[i].program);
    }
    free(t->entry);
    free(t->bucket);
    free(t);
}

int32_t dlpi_program_table_size(const dlpi_program_table *t)
{
    return t->n;
}

const dlpi_program *dlpi_program_table_at(const dlpi_program_table *t, int32_t number)
{
    return t->entry[number].program;
}

static void put(dlpi_program_table *t, int32_t number)
{
    uint32_t i = (uint32_t)t->entry[number].hash & t->mask;
    while (t->bucket[i]) i = (i + 1) & t->mask;
    t->bucket[i] = number + 1;
}

static bool reserve(dlpi_program_table *t)
{
    if (t->n == t->room) {
        const int32_t room = t->room ? 2 * t->room : 16;
        entry *grown = realloc(t->entry, (size_t)room * sizeof *grown);
        if (!grown) return false;
        t->entry = grown;
        t->room = room;
    }
    if (2 * (uint32_t)t->n < t->mask) return true;
    int32_t *bucket = calloc(2 * ((size_t)t->mask + 1), sizeof *bucket);
    if (!bucket) return false;
    free(t->bucket);
    t->bucket = bucket;
    t->mask = 2 * t->mask + 1;
    for (int32_t i = 0; i < t->n; i++) put(t, i);
    return true;
}

static dlpi_program *copy_of(const dlpi_program *program)
{
    dlpi_program *copy = malloc(sizeof *copy);
    if (!copy) return NULL;
    *copy = *program;
    copy->code = malloc((size_t)program->n * sizeof *copy->code);
    if (!copy->code) {
        free(copy);
        return NULL;
    }
    memcpy(copy->code, program->code, (size_t)program->n * sizeof *copy->code);
    return copy;
}

dlp_status dlpi_program_table_find(dlpi_program_table *t, const dlpi_program_draft *draft,
                                   int32_t *number, dlp_error *error)
{
    struct dlpi_sip sip = dlpi_sip_begin(t->key);
    dlpi_program_hash(&draft->program, &sip);
    const uint64_t hash = dlpi_sip_end(&sip);
    for (uint32_t i = (uint32_t)hash & t->mask; t->bucket[i]; i = (i + 1) & t->mask) {
        const entry *known = &t->entry[ *number = t->bucket[i] - 1];
        if (known->hash == hash && known->owner == draft->owner &&
            dlpi_program_same(known->program, &draft->program))
            return DLP_OK;
    }
    dlpi_program *program = reserve(t) ? copy_of(&draft->program) : NULL;
    if (!program) return dlpi_no_memory(error, "programs");
    *number = t->n;
    t->entry[t->n++] = (entry){program, draft->owner, hash};
    put(t, *number);
    return DLP_OK;
}
