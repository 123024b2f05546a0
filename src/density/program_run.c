/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs a program for many instances. They are taken a few at a time, so that the result
 * of an instruction is still in the cache when the next one needs it, and a row is reused
 * as soon as no later instruction reads it.
 */
#include "core/core.h"
#include "density/jet.h"
#include "density/program.h"

#include <stdlib.h>
#include <string.h>

/* Decisions about an instruction, made before it runs. */
typedef struct step {
    dlpi_jet jet;
    size_t offset; /* where its rows are; NOWHERE: it reads an input in place */
    int32_t last;  /* the last instruction that reads it */
    int32_t next_free;
} step;

static const size_t NOWHERE = SIZE_MAX;

typedef struct plan {
    step *step;
    int32_t free[4]; /* by degree: the first instruction whose rows are free; -1: none */
    dlp_index chunk;
    int k, order;
    size_t doubles; /* of all rows */
} plan;

/* ---- which derivatives an instruction has ---- */

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int degree_of(dlpi_op op, const dlpi_jet *a, const dlpi_jet *b, const dlpi_jet *c)
{
    const int most = 3;
    switch (op) {
    case DLPI_OP_NEG:
    case DLPI_OP_ABS: return a->degree;
    case DLPI_OP_ADD:
    case DLPI_OP_SUB:
    case DLPI_OP_MAX:
    case DLPI_OP_MIN: return larger(a->degree, b->degree);
    case DLPI_OP_MUL: return a->degree + b->degree;
    case DLPI_OP_SQUARE: return 2 * a->degree;
    case DLPI_OP_DIV: return b->degree ? most : a->degree;
    case DLPI_OP_IFELSE: return larger(b->degree, c->degree);
    default: return most;
    }
}

static uint64_t mask_of(dlpi_op op, const dlpi_jet *a, const dlpi_jet *b,
                        const dlpi_jet *c)
{
    switch (op) {
    case DLPI_OP_STEP: /* their derivatives are 0 wherever they exist */
    case DLPI_OP_EQUALS:
    case DLPI_OP_GREATER:
    case DLPI_OP_GREATER_EQUAL:
    case DLPI_OP_AND:
    case DLPI_OP_OR:
    case DLPI_OP_NOT:
    case DLPI_OP_ROUND:
    case DLPI_OP_TRUNC:
    case DLPI_OP_FLOOR: return 0;
    case DLPI_OP_POW: return a->mask; /* the exponent is a number; see rewrite.c */
    case DLPI_OP_IFELSE: return b->mask | c->mask;
    default: return a->mask | b->mask | c->mask;
    }
}

static bool is_input(const dlpi_instruction *in)
{
    return in->op == DLPI_OP_DATA || in->op == DLPI_OP_CELL;
}

static void set_jet(plan *p, const dlpi_instruction *in, const int *slot, dlpi_jet *jet)
{
    static const dlpi_jet none = {0};
    *jet = none;
    if (p->order == 0 || in->op == DLPI_OP_LITERAL) return;
    if (is_input(in)) {
        if (slot[in->arg[0]] < 0) return;
        *jet = (dlpi_jet){NULL, (uint64_t)1 << slot[in->arg[0]], 1};
        return;
    }
    const dlpi_jet *arg[3];
    for (int i = 0; i < 3; i++)
        arg[i] = in->arg[i] >= 0 ? &p->step[in->arg[i]].jet : &none;
    jet->mask = mask_of((dlpi_op)in->op, arg[0], arg[1], arg[2]);
    if (!jet->mask) return;
    const int degree = degree_of((dlpi_op)in->op, arg[0], arg[1], arg[2]);
    jet->degree = degree < p->order ? degree : p->order;
}

/* ---- where its rows are ---- */

/* Takes free rows, or new ones; those of literals are filled before all others. */
static void take_rows(plan *p, int32_t i, bool literal)
{
    step *s = &p->step[i];
    const int degree = s->jet.degree;
    const int32_t freed = literal ? -1 : p->free[degree];
    if (freed >= 0) {
        p->free[degree] = p->step[freed].next_free;
        s->offset = p->step[freed].offset;
        return;
    }
    s->offset = p->doubles;
    p->doubles += (size_t)dlpi_jet_size(p->k, degree) * (size_t)p->chunk;
}

static void give_rows(plan *p, const dlpi_program *program, int32_t i)
{
    for (int a = 0; a < 3; a++) {
        const int32_t arg = program->code[i].arg[a];
        if (is_input(&program->code[i]) || arg < 0) continue;
        step *s = &p->step[arg];
        if (s->last != i || s->offset == NOWHERE) continue;
        if (program->code[arg].op == DLPI_OP_LITERAL) continue; /* filled once */
        s->last = -1; /* so that an argument that occurs twice is not freed twice */
        s->next_free = p->free[s->jet.degree];
        p->free[s->jet.degree] = arg;
    }
}

static dlp_index chunk_for(int k, int order)
{
    const int size = dlpi_jet_size(k, order);
    return size <= 20 ? 64 : size <= 100 ? 32 : 16;
}

static void make_plan(plan *p, const dlpi_program *program, int k, int order,
                      const int *slot)
{
    p->k = k;
    p->order = order;
    p->chunk = chunk_for(k, order);
    p->doubles = 0;
    for (int d = 0; d < 4; d++) p->free[d] = -1;
    for (int32_t i = 0; i < program->n; i++) {
        const dlpi_instruction *in = &program->code[i];
        p->step[i].last = i;
        p->step[i].next_free = -1;
        p->step[i].offset = NOWHERE;
        for (int a = 0; a < 3 && !is_input(in); a++)
            if (in->arg[a] >= 0) p->step[in->arg[a]].last = i;
    }
    for (int32_t i = 0; i < program->n; i++) {
        const dlpi_instruction *in = &program->code[i];
        set_jet(p, in, slot, &p->step[i].jet);
        if (!is_input(in) || p->step[i].jet.mask)
            take_rows(p, i, in->op == DLPI_OP_LITERAL);
        give_rows(p, program, i);
    }
}

/* Rows for derivatives of functions, and a jet more for log_add_exp. */
static size_t scratch_doubles(const plan *p)
{
    return (size_t)(dlpi_jet_size(p->k, p->order) + 6) * (size_t)p->chunk;
}

static size_t plan_doubles(const dlpi_program *program)
{
    return ((size_t)program->n * sizeof(step) + sizeof(double) - 1) / sizeof(double);
}

size_t dlpi_program_room(const dlpi_program *program, int k, int order, const int *slot)
{
    plan p = {.step = malloc((size_t)program->n * sizeof(step))};
    if (!p.step) return SIZE_MAX;
    make_plan(&p, program, k, order, slot);
    free(p.step);
    return plan_doubles(program) + p.doubles + scratch_doubles(&p);
}

double dlpi_program_numbers(const dlpi_program *program, int k, int order,
                            const int *slot)
{
    plan p = {.step = malloc((size_t)program->n * sizeof(step)), .k = k, .order = order};
    double sum = 0;
    if (!p.step) return (double)program->n * dlpi_jet_size(k, order);
    for (int32_t i = 0; i < program->n; i++) {
        dlpi_jet *jet = &p.step[i].jet;
        set_jet(&p, &program->code[i], slot, jet);
        sum += dlpi_jet_size(__builtin_popcountll(jet->mask), jet->degree);
    }
    free(p.step);
    return sum;
}

/* ---- one instruction ---- */

typedef struct run {
    const plan *plan;
    dlpi_jet_shape shape;
    double *scratch;
} run;

static void seed(const run *r, const double *input, const dlpi_jet *z)
{
    const dlp_index n = r->shape.n;
    const int slot = __builtin_ctzll(z->mask);
    memcpy(z->at, input, (size_t)n * sizeof *input);
    for (int i = 0; i < r->shape.k; i++)
        for (dlp_index e = 0; i == slot && e < n; e++)
            z->at[(1 + i) * r->shape.stride + e] = 1;
}

static void apply_unary(const run *r, dlpi_op op, const dlpi_jet *x, const double *power,
                        const dlpi_jet *z)
{
    const dlp_index stride = r->shape.stride;
    double *d1 = r->scratch, *d2 = d1 + stride, *d3 = d2 + stride;
    if (power)
        dlpi_jet_power(r->shape.n, x->at, power, z->degree, z->at, d1, d2, d3);
    else
        dlpi_jet_unary(op, r->shape.n, x->at, z->degree, z->at, d1, d2, d3);
    if (z->mask) dlpi_jet_chain(&r->shape, x, d1, d2, d3, z);
}

/* Values alone, of operations with two or three arguments whose derivatives are 0. */
static void apply_values(const run *r, dlpi_op op, const dlpi_jet *const *x,
                         const dlpi_jet *z)
{
    for (dlp_index e = 0; e < r->shape.n; e++)
        z->at[e] = dlpi_op_value(op, x[0]->at[e], x[1]->at[e],
                                 dlpi_op_arity(op) > 2 ? x[2]->at[e] : 0);
}

static void apply_product(const run *r, const dlpi_jet *a, const dlpi_jet *b,
                          const dlpi_jet *z)
{
    if (!a->mask)
        dlpi_jet_scale(&r->shape, a->at, b, z);
    else if (!b->mask)
        dlpi_jet_scale(&r->shape, b->at, a, z);
    else
        dlpi_jet_product(&r->shape, a, b, z);
}

static void apply_extreme(const run *r, dlpi_op op, const dlpi_jet *a, const dlpi_jet *b,
                          const dlpi_jet *z)
{
    double *which = r->scratch;
    for (dlp_index e = 0; e < r->shape.n; e++)
        which[e] =
            dlpi_op_value(op, a->at[e], b->at[e], 0) == a->at[e] || a->at[e] != a->at[e];
    dlpi_jet_select(&r->shape, which, a, b, z);
}

static void apply(const run *r, dlpi_op op, const dlpi_jet *const *x, const dlpi_jet *z)
{
    const int arity = dlpi_op_arity(op);
    switch (op) {
    case DLPI_OP_ADD: dlpi_jet_sum(&r->shape, x[0], 1, x[1], z); return;
    case DLPI_OP_SUB: dlpi_jet_sum(&r->shape, x[0], -1, x[1], z); return;
    case DLPI_OP_NEG: dlpi_jet_negative(&r->shape, x[0], z); return;
    case DLPI_OP_MUL: apply_product(r, x[0], x[1], z); return;
    case DLPI_OP_DIV: dlpi_jet_quotient(&r->shape, x[0], x[1], z); return;
    case DLPI_OP_POW: apply_unary(r, op, x[0], x[1]->at, z); return;
    case DLPI_OP_MAX:
    case DLPI_OP_MIN: apply_extreme(r, op, x[0], x[1], z); return;
    case DLPI_OP_IFELSE: dlpi_jet_select(&r->shape, x[0]->at, x[1], x[2], z); return;
    default: break;
    }
    if (arity == 1)
        apply_unary(r, op, x[0], NULL, z);
    else if (!z->mask && op == DLPI_OP_LOG_ADD_EXP)
        dlpi_jet_log_add_exp_values(r->shape.n, x[0]->at, x[1]->at, z->at);
    else if (!z->mask)
        apply_values(r, op, x, z);
    else if (op == DLPI_OP_LOG_ADD_EXP)
        dlpi_jet_log_add_exp(&r->shape, x[0], x[1], z, r->scratch);
    else
        dlpi_jet_compose(&r->shape, op, arity, x, z);
}

/* ---- all of them ---- */

static void run_chunk(run *r, const dlpi_program *program, const double *const *input,
                      dlp_index from)
{
    step *steps = r->plan->step;
    for (int32_t i = 0; i < program->n; i++) {
        const dlpi_instruction *in = &program->code[i];
        dlpi_jet *z = &steps[i].jet;
        if (in->op == DLPI_OP_LITERAL) continue;
        if (is_input(in)) {
            const double *values = input[in->arg[0]] + from;
            if (z->mask)
                seed(r, values, z);
            else
                memcpy(&z->at, &values, sizeof values); /* is only read */
            continue;
        }
        const dlpi_jet *x[3]; /* those beyond the arguments are not looked at */
        for (int a = 0; a < 3; a++) x[a] = &steps[in->arg[a] >= 0 ? in->arg[a] : 0].jet;
        apply(r, (dlpi_op)in->op, x, z);
    }
}

/* A derivative of the result, or zeros where it has none. */
static void copy_row(const run *r, const dlpi_jet *z, bool has, int place, double *to)
{
    if (has)
        memcpy(to, z->at + place * r->shape.stride, (size_t)r->shape.n * sizeof *to);
    else
        memset(to, 0, (size_t)r->shape.n * sizeof *to);
}

static void copy_result(const run *r, const dlpi_jet *z, dlp_index n, dlp_index from,
                        double *jet)
{
    const int k = r->shape.k, order = r->shape.order;
    double *to = jet + from;
    copy_row(r, z, true, 0, to);
    to += n;
    for (int i = 0; order > 0 && i < k; i++, to += n)
        copy_row(r, z, z->degree > 0 && z->mask >> i & 1, 1 + i, to);
    for (int i = 0; order > 1 && i < k; i++)
        for (int j = i; j < k; j++, to += n)
            copy_row(r, z, z->degree > 1 && z->mask >> i & z->mask >> j & 1,
                     dlpi_place2(k, i, j), to);
    for (int i = 0; order > 2 && i < k; i++)
        for (int j = i; j < k; j++)
            for (int l = j; l < k; l++, to += n)
                copy_row(r, z,
                         z->degree > 2 && z->mask >> i & z->mask >> j & z->mask >> l & 1,
                         dlpi_place3(k, i, j, l), to);
}

static void run_all(const plan *p, const dlpi_program *program, dlp_index n,
                    const double *const *input, double *scratch, double *jet)
{
    run r = {.plan = p, .scratch = scratch};
    for (dlp_index from = 0; from < n; from += p->chunk) {
        const dlp_index left = n - from;
        r.shape =
            (dlpi_jet_shape){left < p->chunk ? left : p->chunk, p->chunk, p->k, p->order};
        run_chunk(&r, program, input, from);
        copy_result(&r, &p->step[program->n - 1].jet, n, from, jet);
    }
}

static void fill(const plan *p, double literal, double *row)
{
    for (dlp_index e = 0; e < p->chunk; e++) row[e] = literal;
}

void dlpi_program_run(const dlpi_program *program, dlp_index n,
                      const double *const *input, int k, const int *slot, int order,
                      double *jet, double *room)
{
    plan p = {.step = (step *)(void *)room};
    double *rows = room + plan_doubles(program);
    make_plan(&p, program, k, order, slot);
    for (int32_t i = 0; i < program->n; i++) {
        step *s = &p.step[i];
        if (s->offset != NOWHERE) s->jet.at = rows + s->offset;
        if (program->code[i].op == DLPI_OP_LITERAL)
            fill(&p, program->code[i].literal, s->jet.at);
    }
    run_all(&p, program, n, input, rows + p.doubles, jet);
}

/* ---- programs that run often ---- */

struct dlpi_runner {
    const dlpi_program *program;
    plan plan;
    double *literals; /* rows of its own, filled once */
    double *scratch;
};

dlp_status dlpi_runner_alloc(const dlpi_program *program, int k, const int *slot,
                             int order, double *room, dlpi_runner **runner,
                             dlp_error *error)
{
    dlpi_runner *r = *runner = dlpi_calloc(1, sizeof *r);
    dlp_index literals = 0;
    if (!r) return dlpi_no_memory(error, "a program");
    r->program = program;
    r->plan.step = dlpi_calloc(program->n, sizeof *r->plan.step);
    if (!r->plan.step) return dlpi_no_memory(error, "a program");
    make_plan(&r->plan, program, k, order, slot);
    for (int32_t i = 0; i < program->n; i++)
        literals += program->code[i].op == DLPI_OP_LITERAL;
    r->literals = dlpi_calloc(literals * r->plan.chunk + 1, sizeof *r->literals);
    if (!r->literals) return dlpi_no_memory(error, "a program");
    double *next = r->literals;
    for (int32_t i = 0; i < program->n; i++) {
        step *s = &r->plan.step[i];
        if (s->offset != NOWHERE) s->jet.at = room + s->offset;
        if (program->code[i].op != DLPI_OP_LITERAL) continue;
        s->jet.at = next;
        fill(&r->plan, program->code[i].literal, next);
        next += r->plan.chunk;
    }
    r->scratch = room + r->plan.doubles;
    return DLP_OK;
}

void dlpi_runner_free(dlpi_runner *runner)
{
    if (!runner) return;
    free(runner->plan.step);
    free(runner->literals);
    free(runner);
}

void dlpi_runner_run(dlpi_runner *runner, dlp_index n, const double *const *input,
                     double *jet)
{
    run_all(&runner->plan, runner->program, n, input, runner->scratch, jet);
}
