/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Expressions. From the loosest to the tightest binding, as in R: || && ! comparison,
 * + -, * /, %*%, :, unary signs, ^. Loose ranges, as in WinBUGS: + - bind tighter than :.
 */
#include "language/parser.h"

#include <stdio.h>
#include <string.h>

enum { MAX_NESTING = 200, MAX_ARGS = 4096 };

dlpi_position dlpi_place_to(dlpi_position from, dlpi_position to)
{
    if (to.line == from.line && to.column >= from.column)
        from.length = to.column + to.length - from.column;
    return from;
}

static void describe(const dlpi_bugs_token *t, char *out, size_t size)
{
    if (t->kind == DLPI_TOKEN_END)
        snprintf(out, size, "the end of the file");
    else if (t->kind == DLPI_TOKEN_NAME)
        snprintf(out, size, "'%.60s'", t->name);
    else if (t->kind == DLPI_TOKEN_NUMBER)
        snprintf(out, size, "a number");
    else if (t->kind == DLPI_TOKEN_ARROW)
        snprintf(out, size, t->place.length == 2 ? "'<-'" : "'='");
    else if (t->sign < 256)
        snprintf(out, size, "'%c'", (char)t->sign);
    else
        snprintf(out, size, "an operator");
}

void dlpi_parse_expected(struct dlpi_parser *p, const char *what)
{
    char found[80];
    describe(p->at, found, sizeof found);
    dlpi_report(p->found, true, p->source, p->at->place, "expected %s, found %s", what,
                found);
}

dlpi_syntax *dlpi_parse_node(struct dlpi_parser *p, dlpi_syntax_kind kind,
                             dlpi_position place, const char *name, int n_args,
                             dlpi_syntax *const *arg)
{
    dlpi_syntax *s = dlpi_pool_take(p->names->pool, 1, sizeof *s);
    dlpi_syntax **args =
        n_args > 0 ? dlpi_pool_take(p->names->pool, n_args, sizeof(dlpi_syntax *)) : NULL;
    if (!s || (n_args > 0 && !args) || p->model->n_nodes == INT32_MAX) {
        p->no_memory = true;
        return NULL;
    }
    *s = (dlpi_syntax){.kind = kind, .place = place, .name = name, .n_args = n_args};
    s->arg = args;
    s->id = p->model->n_nodes++;
    s->depth = -1;
    for (int i = 0; i < n_args; i++) {
        args[i] = arg[i];
        if (arg[i]->depth > s->depth) s->depth = arg[i]->depth;
        if (arg[i]->height > s->height) s->height = arg[i]->height;
    }
    if (++s->height <= DLPI_MAX_HEIGHT) return s;
    dlpi_report(p->found, true, p->source, place,
                "the expression has more than %d operators in a row; split it into parts",
                DLPI_MAX_HEIGHT);
    return NULL;
}

/* A call of an operator. */
static dlpi_syntax *operation(struct dlpi_parser *p, const char *name,
                              dlpi_position place, dlpi_syntax *a, dlpi_syntax *b)
{
    dlpi_syntax *const arg[] = {a, b};
    if (!a || (!b && strcmp(name, "neg") != 0 && strcmp(name, "!") != 0)) return NULL;
    const char *interned = dlpi_name(p->names, name, strlen(name));
    if (!interned) {
        p->no_memory = true;
        return NULL;
    }
    return dlpi_parse_node(p, DLPI_SYNTAX_CALL, place, interned, b ? 2 : 1, arg);
}

/* The items between brackets. */
struct list {
    int n, room;
    dlpi_syntax **item, *few[16];
};

static bool add_item(struct dlpi_parser *p, struct list *list, dlpi_position open,
                     dlpi_syntax *item)
{
    if (list->n == list->room) {
        dlpi_syntax **more =
            list->n < MAX_ARGS ? malloc(2 * (size_t)list->room * sizeof *more) : NULL;
        if (!more) {
            dlpi_report(p->found, true, p->source, open,
                        "more than %d items between brackets", list->n);
            return false;
        }
        memcpy(more, list->item, (size_t)list->n * sizeof *more);
        if (list->item != list->few) free(list->item);
        list->item = more;
        list->room *= 2;
    }
    list->item[list->n++] = item;
    return item != NULL;
}

/* Reads items up to `close`; false: something is wrong. blanks: items may be empty, as
   indices may. */
static bool parse_items(struct dlpi_parser *p, struct list *list, int close, bool blanks)
{
    const dlpi_bugs_token *const open = p->at++;
    if (!blanks && dlpi_pass_sign(p, close)) return true;
    do {
        const bool blank = blanks && (dlpi_at_sign(p, ',') || dlpi_at_sign(p, close));
        dlpi_syntax *item =
            blank ? dlpi_parse_node(p, DLPI_SYNTAX_BLANK, p->at->place, NULL, 0, NULL)
                  : dlpi_parse_expression(p);
        if (!add_item(p, list, open->place, item)) return false;
    } while (dlpi_pass_sign(p, ','));
    if (dlpi_pass_sign(p, close)) return true;
    if (p->at->kind == DLPI_TOKEN_END)
        dlpi_report(p->found, true, p->source, open->place, "this '%c' is not closed",
                    (char)open->sign);
    else if (close == ')' && p->at->kind == DLPI_TOKEN_ARROW)
        dlpi_report(p->found, true, p->source, p->at->place,
                    "arguments have no names here; their order says what they are, and "
                    "normal distributions have precisions: 1 / sd^2");
    else if (dlpi_at_sign(p, '['))
        dlpi_report(p->found, true, p->source, p->at->place,
                    "a second pair of brackets; write all indices in one: x[i, j]");
    else
        dlpi_parse_expected(p, close == ')' ? "',' or ')'" : "',' or ']'");
    return false;
}

/* A name, and the brackets after it. */
static dlpi_syntax *parse_list(struct dlpi_parser *p, dlpi_syntax_kind kind,
                               const dlpi_bugs_token *name, int close, bool blanks)
{
    struct list list = {.room = 16};
    dlpi_syntax *result = NULL;
    list.item = list.few;
    if (parse_items(p, &list, close, blanks))
        result = dlpi_parse_node(p, kind, dlpi_place_to(name->place, p->at[-1].place),
                                 name->name, list.n, list.item);
    if (list.item != list.few) free(list.item);
    return result;
}

static int loop_depth(const struct dlpi_parser *p, const char *name)
{
    for (const dlpi_loop *l = p->loop; l; l = l->outer)
        if (l->name == name) return l->depth;
    return -1;
}

dlpi_syntax *dlpi_parse_variable(struct dlpi_parser *p)
{
    const dlpi_bugs_token *const name = p->at++;
    if (dlpi_at_sign(p, '[')) return parse_list(p, DLPI_SYNTAX_VARIABLE, name, ']', true);
    dlpi_syntax *s =
        dlpi_parse_node(p, DLPI_SYNTAX_VARIABLE, name->place, name->name, 0, NULL);
    if (s) s->depth = loop_depth(p, name->name);
    return s;
}

dlpi_syntax *dlpi_parse_call(struct dlpi_parser *p)
{
    const dlpi_bugs_token *const name = p->at++;
    dlpi_syntax *s = parse_list(p, DLPI_SYNTAX_CALL, name, ')', false);
    if (s) s->place = name->place; /* usually the function is what is wrong */
    return s;
}

static dlpi_syntax *parse_primary(struct dlpi_parser *p)
{
    const dlpi_bugs_token *const t = p->at;
    if (t->kind == DLPI_TOKEN_NUMBER) {
        p->at++;
        dlpi_syntax *s = dlpi_parse_node(p, DLPI_SYNTAX_NUMBER, t->place, NULL, 0, NULL);
        if (s) s->number = t->number;
        return s;
    }
    if (t->kind == DLPI_TOKEN_NAME)
        return t->called ? dlpi_parse_call(p) : dlpi_parse_variable(p);
    if (dlpi_pass_sign(p, '(')) {
        dlpi_syntax *s = dlpi_parse_expression(p);
        p->made_range = NULL;
        if (!s || dlpi_pass_sign(p, ')')) return s;
        if (p->at->kind == DLPI_TOKEN_END)
            dlpi_report(p->found, true, p->source, t->place, "this '(' is not closed");
        else
            dlpi_parse_expected(p, "')'");
        return NULL;
    }
    dlpi_parse_expected(p, "an expression");
    return NULL;
}

static dlpi_syntax *parse_sign(struct dlpi_parser *p);

/* a ^ b ^ c is a ^ (b ^ c); the exponent may have a sign. */
static dlpi_syntax *parse_power(struct dlpi_parser *p)
{
    dlpi_syntax *a = parse_primary(p);
    const dlpi_bugs_token *const t = p->at;
    if (!a || !dlpi_pass_sign(p, '^')) return a;
    return operation(p, "^", t->place, a, parse_sign(p));
}

static dlpi_syntax *parse_sign(struct dlpi_parser *p)
{
    const dlpi_bugs_token *const t = p->at;
    dlpi_syntax *result = NULL;
    if (++p->nesting > MAX_NESTING)
        dlpi_report(p->found, true, p->source, t->place,
                    "the expression is nested more than %d deep; split it into parts",
                    MAX_NESTING);
    else if (dlpi_pass_sign(p, '-'))
        result = operation(p, "neg", t->place, parse_sign(p), NULL);
    else if (dlpi_pass_sign(p, '+'))
        result = parse_sign(p);
    else
        result = parse_power(p);
    p->nesting--;
    return result;
}

static dlpi_syntax *parse_binary(struct dlpi_parser *p, int precedence);

/* a:b, where both are of the precedence; below 0: numbers with a sign. */
static dlpi_syntax *parse_range(struct dlpi_parser *p, int precedence)
{
    dlpi_syntax *a = precedence < 0 ? parse_sign(p) : parse_binary(p, precedence);
    const dlpi_bugs_token *const t = p->at;
    if (!a || !dlpi_pass_sign(p, ':')) return a;
    dlpi_syntax *b = precedence < 0 ? parse_sign(p) : parse_binary(p, precedence);
    if (!b) return NULL;
    dlpi_syntax *const arg[] = {a, b};
    dlpi_syntax *range = dlpi_parse_node(p, DLPI_SYNTAX_RANGE,
                                         dlpi_place_to(a->place, t->place), NULL, 2, arg);
    p->made_range = range;
    return range;
}

/* The operators of each precedence that are left-associative, from the tightest. */
static const struct {
    int sign;
    const char *name;
} operators[][7] = {
    {{DLPI_SIGN_MATMUL, "%*%"}},
    {{'*', "*"}, {'/', "/"}},
    {{'+', "+"}, {'-', "-"}},
    {{'>', ">"},
     {'<', "<"},
     {DLPI_SIGN_GE, ">="},
     {DLPI_SIGN_LE, "<="},
     {DLPI_SIGN_EQ, "=="},
     {DLPI_SIGN_NE, "!="}},
    {{DLPI_SIGN_AND, "&&"}},
    {{DLPI_SIGN_OR, "||"}},
};
enum { SUM = 2, COMPARISON = 3, LOOSEST = 5 };

/* WinBUGS would take 1:n-1, which this is, for 1:(n-1). */
static void note_range(struct dlpi_parser *p, const dlpi_syntax *operand)
{
    if (operand && operand == p->made_range && p->model->bare_range.line == 0)
        p->model->bare_range = operand->place;
}

/* What stands on either side of an operator of this precedence. */
static dlpi_syntax *parse_operand(struct dlpi_parser *p, int precedence)
{
    if (p->loose_ranges && precedence == COMPARISON) return parse_range(p, SUM);
    if (precedence > 0) return parse_binary(p, precedence - 1);
    return p->loose_ranges ? parse_sign(p) : parse_range(p, -1);
}

static dlpi_syntax *parse_binary(struct dlpi_parser *p, int precedence)
{
    const dlpi_bugs_token *const first = p->at;
    if (precedence == COMPARISON &&
        dlpi_pass_sign(p, '!')) { /* only && and || are looser */
        if (++p->nesting > MAX_NESTING) return p->nesting--, parse_primary(p);
        dlpi_syntax *not =
            operation(p, "!", first->place, parse_binary(p, precedence), NULL);
        p->nesting--;
        return not ;
    }
    dlpi_syntax *a = parse_operand(p, precedence);
    while (a && p->at->kind == DLPI_TOKEN_SIGN) {
        const char *name = NULL;
        for (int i = 0; i < 7 && operators[precedence][i].name; i++)
            if (operators[precedence][i].sign == p->at->sign)
                name = operators[precedence][i].name;
        if (!name) break;
        const dlpi_position place = p->at->place;
        p->at++;
        if (precedence <= SUM) note_range(p, a);
        dlpi_syntax *b = parse_operand(p, precedence);
        if (precedence <= SUM) note_range(p, b);
        a = operation(p, name, place, a, b);
    }
    return a;
}

dlpi_syntax *dlpi_parse_expression(struct dlpi_parser *p)
{
    return parse_binary(p, LOOSEST);
}

/* ---- a tree as text ---- */

struct text {
    char *out;
    size_t used, size;
};

static void put(struct text *t, const char *more)
{
    const size_t n = strlen(more);
    if (t->used + n + 1 > t->size) {
        t->size = t->used + 1; /* full: nothing more fits */
        return;
    }
    memcpy(t->out + t->used, more, n + 1);
    t->used += n;
}

static void put_syntax(struct text *t, const dlpi_syntax *s);

static void put_list(struct text *t, const dlpi_syntax *s, const char *open,
                     const char *close)
{
    put(t, open);
    for (int i = 0; i < s->n_args; i++) {
        if (i > 0) put(t, ",");
        put_syntax(t, s->arg[i]);
    }
    put(t, close);
}

static bool is_operator(const char *name)
{
    const char c = name[0];
    return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'));
}

static bool is_simple(const dlpi_syntax *s)
{
    return s->kind == DLPI_SYNTAX_NUMBER || s->kind == DLPI_SYNTAX_VARIABLE ||
           (s->kind == DLPI_SYNTAX_CALL && !is_operator(s->name) &&
            strcmp(s->name, "neg") != 0);
}

static void put_operand(struct text *t, const dlpi_syntax *s)
{
    if (!is_simple(s)) put(t, "(");
    put_syntax(t, s);
    if (!is_simple(s)) put(t, ")");
}

static void put_syntax(struct text *t, const dlpi_syntax *s)
{
    char number[40];
    if (t->used + 1 >= t->size) return;
    switch (s->kind) {
    case DLPI_SYNTAX_NUMBER:
        snprintf(number, sizeof number, "%.15g", s->number);
        put(t, number);
        break;
    case DLPI_SYNTAX_VARIABLE:
        put(t, s->name);
        if (s->n_args > 0) put_list(t, s, "[", "]");
        break;
    case DLPI_SYNTAX_RANGE:
        put_operand(t, s->arg[0]);
        put(t, ":");
        put_operand(t, s->arg[1]);
        break;
    case DLPI_SYNTAX_BLANK: break;
    case DLPI_SYNTAX_CALL:
        if (s->n_args == 2 && is_operator(s->name)) {
            put_operand(t, s->arg[0]);
            put(t, s->name);
            put_operand(t, s->arg[1]);
        } else if (s->n_args == 1 && (is_operator(s->name) || !strcmp(s->name, "neg"))) {
            put(t, is_operator(s->name) ? s->name : "-");
            put_operand(t, s->arg[0]);
        } else {
            put(t, s->name);
            put_list(t, s, "(", ")");
        }
        break;
    }
}

void dlpi_syntax_text(const dlpi_syntax *syntax, char *out, size_t size)
{
    struct text t = {out, 0, size};
    if (size == 0) return;
    out[0] = '\0';
    put_syntax(&t, syntax);
}
