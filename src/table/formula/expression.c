/* SPDX-License-Identifier: BSD-3-Clause */
#include "table/formula/expression.h"

#include "table/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 512 }; /* rows computed together: small enough for the cache */

enum opcode { COLUMN, NUMBER, NEGATE, ADD, SUBTRACT, MULTIPLY, DIVIDE, POWER, CALL };

struct dlpi_instruction {
    enum opcode code;
    dlp_index column;             /* COLUMN */
    double number;                /* NUMBER */
    const struct dlpi_node *node; /* CALL */
};

/* ---- from the tree to instructions ---- */

struct compiler {
    const dlp_formula *formula;
    struct dlpi_columns *columns;
    struct dlpi_expression *out;
    dlp_index depth, deepest; /* of the stack: now, and at its deepest */
    bool has_column;
    dlp_error *error;
};

/* How many instructions a tree makes, at most. */
static dlp_index count_nodes(const struct dlpi_node *node)
{
    dlp_index n = 1;
    for (const struct dlpi_node *part = node->first; part; part = part->next)
        n += 1 + count_nodes(part);
    return n;
}

static void emit(struct compiler *c, struct dlpi_instruction instruction)
{
    c->out->instruction[c->out->n++] = instruction;
    if (instruction.code <= NUMBER) c->depth++;
    if (instruction.code >= ADD && instruction.code <= POWER) c->depth--;
    if (c->depth > c->deepest) c->deepest = c->depth;
}

static dlp_status tell_categories(const struct compiler *c, const struct dlpi_node *name,
                                  const dlp_column *column)
{
    const dlp_index row = dlpi_column_first_text(c->columns->table, column);
    if (row < 0)
        return dlpi_formula_fail(c->formula->text, name->at, c->error,
                                 "column '%s' holds categories, and numbers are needed",
                                 dlpi_show(name->name).text);
    return dlpi_formula_fail(c->formula->text, name->at, c->error,
                             "column '%s' holds categories such as '%s' in row %td "
                             "(counted from 1), and numbers are needed",
                             dlpi_show(name->name).text,
                             dlpi_show(column->level[column->code[row]]).text, row + 1);
}

static dlp_status compile_name(struct compiler *c, const struct dlpi_node *name)
{
    dlp_index j;
    DLP_TRY(dlpi_columns_find(c->columns, c->formula, name, &j, c->error));
    const dlp_column *column = &c->columns->table->column[j];
    if (column->kind != DLP_NUMERIC) {
        (void)tell_categories(c, name, column);
        return DLP_EINPUT; /* the table is to blame, so the message names it */
    }
    c->columns->used[j] = true;
    c->has_column = true;
    emit(c, (struct dlpi_instruction){.code = COLUMN, .column = j});
    return DLP_OK;
}

static enum opcode opcode_of(char op)
{
    switch (op) {
    case '+': return ADD;
    case '-': return SUBTRACT;
    case '*': return MULTIPLY;
    default: return DIVIDE;
    }
}

static dlp_status compile(struct compiler *c, const struct dlpi_node *node);

static dlp_status compile_chain(struct compiler *c, const struct dlpi_node *chain)
{
    DLP_TRY(compile(c, chain->first));
    for (const struct dlpi_node *part = chain->first->next; part; part = part->next) {
        DLP_TRY(compile(c, part));
        emit(c, (struct dlpi_instruction){.code = opcode_of(part->op)});
    }
    return DLP_OK;
}

static dlp_status compile(struct compiler *c, const struct dlpi_node *node)
{
    switch (node->kind) {
    case DLPI_NODE_NAME: return compile_name(c, node);
    case DLPI_NODE_NUMBER:
        emit(c, (struct dlpi_instruction){.code = NUMBER, .number = node->number});
        return DLP_OK;
    case DLPI_NODE_SUM:
    case DLPI_NODE_PRODUCT: return compile_chain(c, node);
    case DLPI_NODE_POWER:
        DLP_TRY(compile(c, node->first));
        DLP_TRY(compile(c, node->first->next));
        emit(c, (struct dlpi_instruction){.code = POWER});
        return DLP_OK;
    case DLPI_NODE_SIGN:
        DLP_TRY(compile(c, node->first));
        if (node->op == '-') emit(c, (struct dlpi_instruction){.code = NEGATE});
        return DLP_OK;
    case DLPI_NODE_CALL:
        DLP_TRY(compile(c, node->first));
        if (node->function->role == DLPI_ROLE_MATH)
            emit(c, (struct dlpi_instruction){.code = CALL, .node = node});
        return DLP_OK;
    case DLPI_NODE_PAREN: return compile(c, node->first);
    case DLPI_NODE_DOT: /* the parser keeps these out of arithmetic */
    case DLPI_NODE_COLON:
    case DLPI_NODE_OPTION:
    case DLPI_NODE_TEXT:
    case DLPI_NODE_LIST:
    case DLPI_NODE_BAR: break;
    }
    return dlpi_formula_fail(c->formula->text, node->at, c->error, "expected arithmetic");
}

dlp_status dlpi_expression_make(const dlp_formula *formula, const struct dlpi_node *node,
                                struct dlpi_columns *columns, struct dlpi_pool *pool,
                                struct dlpi_expression *out, dlp_error *error)
{
    struct compiler c = {
        .formula = formula, .columns = columns, .out = out, .error = error};
    *out = (struct dlpi_expression){.node = node, .table = columns->table, .pool = pool};
    out->instruction = dlpi_pool_take(pool, count_nodes(node), sizeof *out->instruction);
    if (!out->instruction) return dlpi_no_memory(error, "an expression");
    DLP_TRY(compile(&c, node));
    if (!c.has_column)
        return dlpi_formula_fail(formula->text, node->at, error,
                                 "this names no column, so it is the same in every row");
    out->stack = dlpi_pool_take(pool, c.deepest * BLOCK, sizeof *out->stack);
    return out->stack ? DLP_OK : dlpi_no_memory(error, "an expression");
}

dlp_index dlpi_expression_column(const struct dlpi_expression *expression)
{
    const struct dlpi_instruction *only = expression->instruction;
    return expression->n == 1 && only->code == COLUMN ? only->column : -1;
}

/* ---- from instructions to values ---- */

/* Some rows of the table: those of row[i], or, where row is NULL, first + i. */
struct block {
    const dlp_index *row;
    dlp_index first;
    int n;
};

static dlp_index row_of(const struct block *block, int i)
{
    return block->row ? block->row[i] : block->first + i;
}

static void load(const struct block *block, const double *column, double *x)
{
    if (!block->row)
        memcpy(x, column + block->first, (size_t)block->n * sizeof *x);
    else
        for (int i = 0; i < block->n; i++) x[i] = column[block->row[i]];
}

/* Fails: x, the argument of a call in that row, is not one that the function takes. */
static dlp_status fail_outside(const struct dlpi_expression *e,
                               const struct dlpi_node *call, double x, dlp_index row,
                               dlp_error *error)
{
    const struct dlpi_function *f = call->function;
    const char *whole = dlpi_label(call, e->pool),
               *label = dlpi_label(call->first, e->pool);
    char value[DLPI_NUMBER_TEXT] = "not finite";
    if (!whole || !label) return dlpi_no_memory(error, "a message");
    if (isfinite(x)) dlpi_number_text(x, value);
    return dlp_fail(
        error, DLP_EINPUT,
        "%s: %s'%s' is %s in row %td (counted from 1), and %s() takes numbers "
        "%s %g; check the values there",
        dlpi_show(whole).text, call->first->kind == DLPI_NODE_NAME ? "column " : "",
        dlpi_show(label).text, value, row + 1, f->name,
        f->bound_allowed ? "from" : "above", f->bound);
}

static dlp_status call(const struct dlpi_expression *e, const struct dlpi_node *node,
                       const struct block *block, double *x, dlp_error *error)
{
    const struct dlpi_function *f = node->function;
    for (int i = 0; i < block->n; i++) {
        if (!(x[i] > f->bound || (f->bound_allowed && x[i] == f->bound)))
            return fail_outside(e, node, x[i], row_of(block, i), error);
        x[i] = f->value(x[i]);
    }
    return DLP_OK;
}

/* x becomes x op y. */
static void combine(enum opcode code, int n, double *x, const double *y)
{
    switch (code) {
    case ADD:
        for (int i = 0; i < n; i++) x[i] += y[i];
        break;
    case SUBTRACT:
        for (int i = 0; i < n; i++) x[i] -= y[i];
        break;
    case MULTIPLY:
        for (int i = 0; i < n; i++) x[i] *= y[i];
        break;
    case DIVIDE:
        for (int i = 0; i < n; i++) x[i] /= y[i];
        break;
    default:
        for (int i = 0; i < n; i++) x[i] = y[i] == 2 ? x[i] * x[i] : pow(x[i], y[i]);
    }
}

/* Runs the instructions over one block; the values end at the bottom of the stack. */
static dlp_status run(const struct dlpi_expression *e, const struct block *block,
                      dlp_error *error)
{
    double *end = e->stack; /* of the stack, one block above its top */
    for (dlp_index k = 0; k < e->n; k++) {
        const struct dlpi_instruction *at = &e->instruction[k];
        switch (at->code) {
        case COLUMN:
            load(block, e->table->column[at->column].number, end);
            end += BLOCK;
            break;
        case NUMBER:
            for (int i = 0; i < block->n; i++) end[i] = at->number;
            end += BLOCK;
            break;
        case NEGATE:
            for (int i = 0; i < block->n; i++) end[i - BLOCK] = -end[i - BLOCK];
            break;
        case CALL: DLP_TRY(call(e, at->node, block, end - BLOCK, error)); break;
        default: end -= BLOCK; combine(at->code, block->n, end - BLOCK, end);
        }
    }
    return DLP_OK;
}

static dlp_status check_finite(const struct dlpi_expression *e, const struct block *block,
                               dlp_error *error)
{
    for (int i = 0; i < block->n; i++) {
        if (isfinite(e->stack[i])) continue;
        const char *label = dlpi_label(e->node, e->pool);
        if (!label) return dlpi_no_memory(error, "a message");
        return dlp_fail(error, DLP_EINPUT,
                        "'%s' is %s in row %td (counted from 1); check the values there",
                        dlpi_show(label).text,
                        isnan(e->stack[i]) ? "not a number" : "infinite",
                        row_of(block, i) + 1);
    }
    return DLP_OK;
}

bool dlpi_expression_is_missing(const struct dlpi_expression *expression, dlp_index row)
{
    for (dlp_index k = 0; k < expression->n; k++) {
        const struct dlpi_instruction *at = &expression->instruction[k];
        if (at->code == COLUMN &&
            isnan(expression->table->column[at->column].number[row]))
            return true;
    }
    return false;
}

dlp_status dlpi_expression_evaluate(const struct dlpi_expression *expression,
                                    const dlp_index *row, dlp_index n, double *out,
                                    dlp_error *error)
{
    return dlpi_expression_evaluate_some(expression, row, 0, n, out, error);
}

dlp_status dlpi_expression_evaluate_some(const struct dlpi_expression *expression,
                                         const dlp_index *row, dlp_index from,
                                         dlp_index to, double *out, dlp_error *error)
{
    for (dlp_index first = from; first < to; first += BLOCK) {
        const struct block block = {.row = row ? row + first : NULL,
                                    .first = first,
                                    .n = (int)(to - first < BLOCK ? to - first : BLOCK)};
        DLP_TRY(run(expression, &block, error));
        DLP_TRY(check_finite(expression, &block, error));
        memcpy(out + first, expression->stack, (size_t)block.n * sizeof *out);
    }
    return DLP_OK;
}
