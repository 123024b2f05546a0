/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The nodes of a builder, and how equal ones are found. Since a million factors may be
 * built one after another, forgetting all nodes must cost nothing: a bucket of an older
 * generation counts as empty.
 */
#include "core/core.h"
#include "core/sip.h"
#include "density/builder.h"
#include "density/mix.h"

#include <math.h>
#include <string.h>

/* Operations between two questions whether to stop, a hundredth of a second, and how many of them a node
   is worth. */
enum { OFTEN = 1 << 22, NODE = 64 };

enum {
    FIRST_NODES = 256,
    FIRST_BUCKETS = 1024,
    ROOM = 1024,
    MOST_NODES = 1 << 26 /* 4 GB; such a factor is a mistake */
};

dlp_status dlpi_builder_alloc(dlpi_builder **builder, dlp_error *error)
{
    dlpi_builder *b = dlpi_calloc(1, sizeof *b);
    *builder = b;
    if (!b) return dlpi_no_memory(error, "expressions");
    b->built = malloc(FIRST_NODES * sizeof *b->built);
    b->bucket = calloc(FIRST_BUCKETS, sizeof *b->bucket);
    b->room = FIRST_NODES;
    b->mask = FIRST_BUCKETS - 1;
    b->generation = b->visit = 1;
    dlpi_sip_draw_key(b, b->key);
    if (b->built && b->bucket) return DLP_OK;
    dlpi_builder_free(b);
    *builder = NULL;
    return dlpi_no_memory(error, "expressions");
}

void dlpi_builder_free(dlpi_builder *b)
{
    if (!b) return;
    for (dlpi_room *room = b->first, *next; room; room = next) {
        next = room->next;
        free(room);
    }
    free(b->built);
    free(b->bucket);
    free(b->stack);
    free(b);
}

void dlpi_builder_clear(dlpi_builder *b)
{
    b->n = 0;
    b->depth = 0;
    b->failed = false;
    if (++b->generation == 0) { /* once in 2^32 times */
        memset(b->bucket, 0, ((size_t)b->mask + 1) * sizeof *b->bucket);
        b->generation = 1;
    }
    for (dlpi_room *room = b->first; room; room = room->next) room->used = 0;
    b->last = b->first;
}

void dlpi_builder_watch(dlpi_builder *b, bool (*stop)(void *context), void *context)
{
    b->stop = stop;
    b->context = context;
}

bool dlpi_builder_works(dlpi_builder *b, dlp_index operations)
{
    b->work += operations;
    if (b->work < OFTEN) return !b->failed;
    b->work = 0;
    b->failed = b->failed || (b->stop && b->stop(b->context));
    return !b->failed;
}

bool dlpi_builder_failed(const dlpi_builder *b)
{
    return b->failed;
}

const dlpi_expr_node *dlpi_builder_node(const dlpi_builder *b, dlpi_expr e)
{
    return dlpi_at(b, e);
}

dlp_index dlpi_builder_size(const dlpi_builder *b)
{
    return b->n;
}

/* ---- room for the elements of vectors ---- */

dlpi_expr *dlpi_builder_room(dlpi_builder *b, dlp_index n)
{
    while (b->last && b->last->size - b->last->used < n && b->last->next)
        b->last = b->last->next;
    if (!b->last || b->last->size - b->last->used < n) {
        dlp_index size = n > ROOM ? n : ROOM;
        dlpi_room *room = NULL;
        if (n >= 0 && n <= MOST_NODES)
            room = malloc(sizeof *room + (size_t)size * sizeof *room->at);
        if (!room) {
            b->failed = true;
            return NULL;
        }
        *room = (dlpi_room){.size = size};
        if (b->last) b->last->next = room;
        if (!b->first) b->first = room;
        b->last = room;
    }
    dlpi_expr *at = b->last->at + b->last->used;
    b->last->used += n;
    return at;
}

/* ---- equal nodes are one ---- */

static uint32_t hash_of(const dlpi_builder *b, const dlpi_expr_node *node)
{
    struct dlpi_sip sip = dlpi_sip_begin(b->key);
    dlpi_sip_add(&sip, (uint64_t)node->op << 32 | (uint32_t)node->arg[0]);
    dlpi_sip_add(&sip, (uint64_t)(uint32_t)node->arg[1] << 32 | (uint32_t)node->arg[2]);
    if (node->op == DLPI_OP_LITERAL) dlpi_sip_add_number(&sip, node->number);
    dlpi_sip_add(&sip, (uint64_t)node->cell);
    return (uint32_t)dlpi_sip_end(&sip);
}

static bool same_node(const dlpi_expr_node *a, const dlpi_expr_node *b)
{
    return a->op == b->op && a->arg[0] == b->arg[0] && a->arg[1] == b->arg[1] &&
           a->arg[2] == b->arg[2] && a->cell == b->cell &&
           (a->op != DLPI_OP_LITERAL ||
            dlpi_bits_of(a->number) == dlpi_bits_of(b->number));
}

static void put(dlpi_builder *b, dlpi_expr e)
{
    uint32_t i = hash_of(b, dlpi_at(b, e)) & b->mask;
    while (b->bucket[i].generation == b->generation) i = (i + 1) & b->mask;
    b->bucket[i] = (dlpi_bucket){b->generation, e};
}

/* Data that come from no cell cannot be looked up: they are not in the table. */
static bool is_anonymous(const dlpi_expr_node *node)
{
    return node->op == DLPI_OP_DATA && node->cell == -1;
}

static bool grow_buckets(dlpi_builder *b)
{
    const size_t count = 2 * ((size_t)b->mask + 1);
    dlpi_bucket *bucket = calloc(count, sizeof *bucket);
    if (!bucket) return false;
    free(b->bucket);
    b->bucket = bucket;
    b->mask = (uint32_t)(count - 1);
    for (dlp_index e = 0; e < b->n; e++)
        if (!is_anonymous(dlpi_at(b, (dlpi_expr)e))) put(b, (dlpi_expr)e);
    return true;
}

static bool reserve(dlpi_builder *b)
{
    if (b->n == b->room) {
        if (b->n >= MOST_NODES) return false;
        dlpi_built *built = realloc(b->built, 2 * (size_t)b->room * sizeof *built);
        if (!built) return false;
        b->built = built;
        b->room *= 2;
    }
    return 2 * (uint64_t)b->n < b->mask || grow_buckets(b);
}

dlp_index dlpi_builder_longest_search(const dlpi_builder *b)
{
    dlp_index longest = 0;
    for (uint32_t i = 0; i <= b->mask; i++) {
        if (b->bucket[i].generation != b->generation) continue;
        const uint32_t home = hash_of(b, dlpi_at(b, b->bucket[i].e));
        const dlp_index search = (dlp_index)((i - home) & b->mask) + 1;
        if (search > longest) longest = search;
    }
    return longest;
}

/* Whether it is known to be positive; for leaves, the caller says. */
static bool positive_of(const dlpi_builder *b, const dlpi_expr_node *node)
{
    const bool first = node->arg[0] >= 0 && b->built[node->arg[0]].positive;
    const bool second = node->arg[1] >= 0 && b->built[node->arg[1]].positive;
    switch (node->op) {
    case DLPI_OP_LITERAL: return node->number > 0;
    case DLPI_OP_EXP:
    case DLPI_OP_ILOGIT:
    case DLPI_OP_PHI:
    case DLPI_OP_ICLOGLOG:
    case DLPI_OP_LOG1P_EXP:
    case DLPI_OP_COSH: return true;
    case DLPI_OP_ADD:
    case DLPI_OP_MUL:
    case DLPI_OP_DIV:
    case DLPI_OP_MIN: return first && second;
    case DLPI_OP_SQRT:
    case DLPI_OP_SQUARE:
    case DLPI_OP_ABS:
    case DLPI_OP_POW: return first;
    case DLPI_OP_MAX: return first || second;
    case DLPI_OP_IFELSE: return second && b->built[node->arg[2]].positive;
    default: return false;
    }
}

static dlpi_expr append(dlpi_builder *b, const dlpi_expr_node *node)
{
    if (!reserve(b)) {
        b->failed = true;
        return 0;
    }
    const dlpi_expr e = (dlpi_expr)b->n++;
    b->built[e] = (dlpi_built){
        .node = *node, .sum_log = DLPI_UNKNOWN, .positive = positive_of(b, node)};
    return e;
}

/* The node that is equal, or a new one. */
static dlpi_expr find(dlpi_builder *b, const dlpi_expr_node *node)
{
    if (!dlpi_builder_works(b, NODE)) return 0;
    uint32_t i = hash_of(b, node) & b->mask;
    for (; b->bucket[i].generation == b->generation; i = (i + 1) & b->mask)
        if (same_node(dlpi_at(b, b->bucket[i].e), node)) return b->bucket[i].e;
    const dlpi_expr e = append(b, node);
    if (!b->failed) put(b, e); /* not at i: the buckets may have grown */
    return e;
}

dlpi_expr dlpi_node_of(dlpi_builder *b, dlpi_op op, dlpi_expr x, dlpi_expr y, dlpi_expr z)
{
    return find(b, &(dlpi_expr_node){.op = op, .arg = {x, y, z}, .cell = -1});
}

/* ---- leaves ---- */

dlpi_expr dlpi_literal(dlpi_builder *b, double number)
{
    return find(b, &(dlpi_expr_node){.op = DLPI_OP_LITERAL,
                                     .arg = {-1, -1, -1},
                                     .number = number + 0.0, /* no -0 */
                                     .cell = -1});
}

dlpi_expr dlpi_datum(dlpi_builder *b, double number)
{
    if (!dlpi_builder_works(b, NODE)) return 0;
    return append(
        b, &(dlpi_expr_node){
               .op = DLPI_OP_DATA, .arg = {-1, -1, -1}, .number = number, .cell = -1});
}

dlpi_expr dlpi_datum_of(dlpi_builder *b, dlp_index cell, double number)
{
    return find(
        b, &(dlpi_expr_node){
               .op = DLPI_OP_DATA, .arg = {-1, -1, -1}, .number = number, .cell = cell});
}

/* What `cell` means for data: 0 and above a cell, -1 none, below that an operation. */
dlpi_expr dlpi_folded(dlpi_builder *b, dlpi_op op, const dlpi_expr arg[3], double number)
{
    return find(b, &(dlpi_expr_node){.op = DLPI_OP_DATA,
                                     .arg = {arg[0], arg[1], arg[2]},
                                     .number = number,
                                     .cell = -2 - (dlp_index)op});
}

dlpi_expr dlpi_cell(dlpi_builder *b, dlp_index cell)
{
    return find(b,
                &(dlpi_expr_node){.op = DLPI_OP_CELL, .arg = {-1, -1, -1}, .cell = cell});
}

dlpi_expr dlpi_positive_cell(dlpi_builder *b, dlp_index cell)
{
    const dlpi_expr e = dlpi_cell(b, cell);
    if (!b->failed) b->built[e].positive = true;
    return e;
}

dlpi_expr dlpi_simplex_cell(dlpi_builder *b, dlp_index cell, dlp_index simplex,
                            dlp_index n)
{
    const dlpi_expr e = dlpi_positive_cell(b, cell);
    if (b->failed) return 0;
    b->built[e].simplex = simplex;
    b->built[e].n_simplex = n;
    return e;
}

bool dlpi_is_number(const dlpi_builder *b, dlpi_expr e, double *number)
{
    const dlpi_expr_node *node = dlpi_at(b, e);
    if (node->op != DLPI_OP_LITERAL && node->op != DLPI_OP_DATA) return false;
    if (number) *number = node->number;
    return true;
}

bool dlpi_is_positive(const dlpi_builder *b, dlpi_expr e)
{
    return b->built[e].positive;
}
