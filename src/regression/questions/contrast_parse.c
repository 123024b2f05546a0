/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A combination of parameters, read and computed at once:
 *
 *   comparison: sum, or sum > sum, sum < sum
 *   sum:        product, + or - product, ...
 *   product:    power, * or / power, ...
 *   power:      an atom, or atom ^ power; with a minus before it
 *   atom:       a number, a name, `a name`, f(sum), (sum)
 *
 * The longest name that fits is taken, so that those with brackets or colons need no
 * quotes.
 */
#include "core/core.h"
#include "core/suggest.h"
#include "core/text.h"
#include "io/number.h"
#include "math/dense.h"
#include "regression/questions/contrast.h"

#include <ctype.h>
#include <delaplace/special.h>
#include <math.h>
#include <string.h>

enum { DEEPEST = 64 };

typedef struct parser {
    dlpi_question *q;
    const dlpi_contrast_names *names;
    const char *text, *at;
    int depth;
    dlp_error *error;
} parser;

typedef dlpi_contrast_value value;

static dlp_status parse_sum(parser *p, value *out);

static void skip_blanks(parser *p)
{
    while (isspace((unsigned char)*p->at)) p->at++;
}

static dlp_status fail(const parser *p, const char *expected)
{
    return dlp_fail(p->error, DLP_EINVAL, "'%s': %s is expected %s%s%s",
                    dlpi_show(p->text).text, expected, *p->at ? "before '" : "at the end",
                    *p->at ? dlpi_show(p->at).text : "", *p->at ? "'" : "");
}

/* ---- arithmetic ---- */

static dlp_status find_draws(dlpi_question *q, value *v, dlp_error *error)
{
    const dlpi_question_posterior *post = &q->post;
    if (v->draw) return DLP_OK;
    DLP_TRY(dlpi_question_draw(q, error));
    v->draw = dlpi_pool_take(&q->scratch, post->S, sizeof *v->draw);
    if (!v->draw) return dlpi_no_memory(error, "the contrasts");
    for (dlp_index s = 0; s < post->S; s++) {
        v->draw[s] = v->constant;
        for (dlp_index b = 0; v->a && b < post->B; b++)
            v->draw[s] += dlpi_dot(post->n, v->a + b * post->n,
                                   post->theta + (b * post->S + s) * post->n);
    }
    v->a = NULL;
    return DLP_OK;
}

static bool is_constant(const value *v)
{
    return !v->a && !v->draw;
}

/* x := x + times y, linear both. */
static dlp_status add_linear(parser *p, value *x, const value *y, double times)
{
    const dlp_index n = p->q->post.B * p->q->post.n;
    x->constant += times * y->constant;
    if (!y->a) return DLP_OK;
    if (!x->a) x->a = dlpi_pool_take(&p->q->scratch, n, sizeof *x->a);
    if (!x->a) return dlpi_no_memory(p->error, "the contrasts");
    dlpi_axpy(n, times, y->a, x->a);
    return DLP_OK;
}

static void scale(parser *p, value *x, double by)
{
    const dlp_index n = x->draw ? p->q->post.S : p->q->post.B * p->q->post.n;
    double *of = x->draw ? x->draw : x->a;
    x->constant *= by;
    for (dlp_index i = 0; of && i < n; i++) of[i] *= by;
}

static double apply(char sign, double x, double y)
{
    switch (sign) {
    case '+': return x + y;
    case '-': return x - y;
    case '*': return x * y;
    case '/': return x / y;
    default: return pow(x, y);
    }
}

/* x := x sign y */
static dlp_status combine(parser *p, value *x, char sign, value *y)
{
    const bool linear = !x->draw && !y->draw;
    if (is_constant(x) && is_constant(y)) {
        x->constant = apply(sign, x->constant, y->constant);
        return DLP_OK;
    }
    if (linear && (sign == '+' || sign == '-'))
        return add_linear(p, x, y, sign == '+' ? 1 : -1);
    if (is_constant(y) && (sign == '*' || sign == '/')) {
        scale(p, x, sign == '*' ? y->constant : 1 / y->constant);
        return DLP_OK;
    }
    if (is_constant(x) && sign == '*') {
        scale(p, y, x->constant);
        *x = *y;
        return DLP_OK;
    }
    DLP_TRY(find_draws(p->q, x, p->error));
    DLP_TRY(find_draws(p->q, y, p->error));
    for (dlp_index s = 0; s < p->q->post.S; s++)
        x->draw[s] = apply(sign, x->draw[s], y->draw[s]);
    return DLP_OK;
}

/* ---- functions ---- */

typedef struct function {
    const char *name;
    double (*of)(double);
} function;

static const function functions[] = {{"exp", exp},
                                     {"log", log},
                                     {"sqrt", sqrt},
                                     {"abs", fabs},
                                     {"logistic", dlp_logistic},
                                     {"plogis", dlp_logistic},
                                     {"invlogit", dlp_logistic},
                                     {"pnorm", dlp_normal_cdf},
                                     {NULL, NULL}};

/* The function whose name and bracket come next, or NULL. */
static const function *function_at(const parser *p, size_t *size)
{
    for (const function *f = functions; f->name; f++) {
        const size_t length = strlen(f->name);
        if (strncmp(p->at, f->name, length) != 0) continue;
        size_t behind = length;
        while (isspace((unsigned char)p->at[behind])) behind++;
        if (p->at[behind] != '(') continue;
        *size = behind + 1;
        return f;
    }
    return NULL;
}

static dlp_status close_bracket(parser *p)
{
    skip_blanks(p);
    if (*p->at != ')') return fail(p, "a closing bracket");
    p->at++;
    return DLP_OK;
}

static dlp_status parse_function(parser *p, const function *f, value *out)
{
    DLP_TRY(parse_sum(p, out));
    DLP_TRY(close_bracket(p));
    if (is_constant(out)) {
        out->constant = f->of(out->constant);
        return DLP_OK;
    }
    DLP_TRY(find_draws(p->q, out, p->error));
    for (dlp_index s = 0; s < p->q->post.S; s++) out->draw[s] = f->of(out->draw[s]);
    return DLP_OK;
}

/* ---- atoms ---- */

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || (c & 0x80);
}

/* The longest name that comes next and ends at the end of a word. */
static const dlpi_contrast_name *name_at(const parser *p, size_t *size)
{
    const dlpi_contrast_name *best = NULL;
    *size = 0;
    for (dlp_index i = 0; i < p->names->n; i++) {
        const char *text = p->names->name[i].text;
        const size_t length = strlen(text);
        if (length <= *size || strncmp(p->at, text, length) != 0) continue;
        if (in_word(text[length - 1]) && in_word(p->at[length])) continue;
        best = &p->names->name[i];
        *size = length;
    }
    return best;
}

static dlp_status fail_name(const parser *p, const char *from, size_t size)
{
    struct dlpi_shown_list list = {.used = 0};
    char typed[80];
    const size_t room = size < sizeof typed - 1 ? size : sizeof typed - 1;
    memcpy(typed, from, room);
    typed[room] = '\0';
    struct dlpi_suggestion near = dlpi_suggestion_for(typed);
    for (dlp_index i = 0; i < p->names->n; i++) {
        dlpi_suggestion_consider(&near, p->names->name[i].text);
        dlpi_shown_list_add(&list, dlpi_show(p->names->name[i].text));
    }
    if (near.best)
        return dlp_fail(p->error, DLP_EINVAL,
                        "the fit has no parameter '%s'; did you mean '%s'?",
                        dlpi_show(typed).text, dlpi_show(near.best).text);
    return dlp_fail(p->error, DLP_EINVAL, "the fit has no parameter '%s'; it has %s",
                    dlpi_show(typed).text, list.text);
}

static dlp_status parse_quoted(parser *p, value *out)
{
    const char *from = ++p->at;
    const size_t size = strcspn(from, "`");
    if (!from[size]) return fail(p, "a closing backquote");
    p->at = from + size + 1;
    for (dlp_index i = 0; i < p->names->n; i++) {
        const dlpi_contrast_name *name = &p->names->name[i];
        if (strlen(name->text) == size && !strncmp(name->text, from, size))
            return dlpi_contrast_value_of(p->q, name, out, p->error);
    }
    return fail_name(p, from, size);
}

static dlp_status parse_word(parser *p, value *out)
{
    size_t size = 0;
    while (in_word(p->at[size])) size++;
    if (size > 0 && !isdigit((unsigned char)*p->at)) return fail_name(p, p->at, size);
    char *end;
    const double number = dlpi_number_read(p->at, &end);
    if (end == p->at || !isfinite(number)) return fail(p, "a name or a number");
    p->at = end;
    *out = (value){.constant = number};
    return DLP_OK;
}

static dlp_status parse_atom(parser *p, value *out)
{
    size_t size;
    skip_blanks(p);
    if (*p->at == '`') return parse_quoted(p, out);
    const dlpi_contrast_name *name = name_at(p, &size);
    if (name) {
        p->at += size;
        return dlpi_contrast_value_of(p->q, name, out, p->error);
    }
    const function *f = function_at(p, &size);
    if (f) {
        p->at += size;
        return parse_function(p, f, out);
    }
    if (*p->at != '(') return parse_word(p, out);
    p->at++;
    DLP_TRY(parse_sum(p, out));
    return close_bracket(p);
}

/* ---- levels ---- */

static dlp_status parse_power(parser *p, value *out)
{
    skip_blanks(p);
    if (++p->depth > DEEPEST)
        return dlp_fail(p->error, DLP_EINVAL, "'%s' has too many brackets",
                        dlpi_show(p->text).text);
    if (*p->at == '-') {
        p->at++;
        DLP_TRY(parse_power(p, out));
        scale(p, out, -1);
    } else {
        value exponent;
        DLP_TRY(parse_atom(p, out));
        skip_blanks(p);
        if (*p->at == '^') {
            p->at++;
            DLP_TRY(parse_power(p, &exponent));
            DLP_TRY(combine(p, out, '^', &exponent));
        }
    }
    p->depth--;
    return DLP_OK;
}

static dlp_status parse_product(parser *p, value *out)
{
    DLP_TRY(parse_power(p, out));
    for (;;) {
        value next;
        skip_blanks(p);
        const char sign = *p->at;
        if (sign != '*' && sign != '/') return DLP_OK;
        p->at++;
        DLP_TRY(parse_power(p, &next));
        DLP_TRY(combine(p, out, sign, &next));
    }
}

static dlp_status parse_sum(parser *p, value *out)
{
    DLP_TRY(parse_product(p, out));
    for (;;) {
        value next;
        skip_blanks(p);
        const char sign = *p->at;
        if (sign != '+' && sign != '-') return DLP_OK;
        p->at++;
        DLP_TRY(parse_product(p, &next));
        DLP_TRY(combine(p, out, sign, &next));
    }
}

dlp_status dlpi_contrast_parse(dlpi_question *q, const dlpi_contrast_names *names,
                               const char *text, value *out, int *sign, dlp_error *error)
{
    parser p = {.q = q, .names = names, .text = text, .at = text, .error = error};
    *sign = 0;
    DLP_TRY(parse_sum(&p, out));
    skip_blanks(&p);
    if (*p.at == '>' || *p.at == '<') {
        value other;
        *sign = *p.at == '>' ? 1 : -1;
        p.at += 1 + (p.at[1] == '=');
        DLP_TRY(parse_sum(&p, &other));
        DLP_TRY(combine(&p, out, '-', &other));
        skip_blanks(&p);
    }
    return *p.at ? fail(&p, "+, -, *, /, ^, > or <") : DLP_OK;
}
