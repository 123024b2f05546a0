/* SPDX-License-Identifier: BSD-3-Clause */
#include "bugs/plan/slots.h"

#include "core/core.h"

#include <math.h>
#include <string.h>

enum { UP = 1, DOWN = 2 };

/* What is known of each instruction. */
typedef struct facts {
    bool active; /* depends on an active input */
    bool affine; /* is affine in them */
    int slot;    /* which one it is, -1: none */
    int degree;
    int to;   /* where it went in a copy, -1: nowhere */
    int sign; /* UP, DOWN: a term that is added to, subtracted from the result */
} facts;

static bool is_input(const dlpi_instruction *i)
{
    return i->op == DLPI_OP_DATA || i->op == DLPI_OP_CELL;
}

static int arity(const dlpi_instruction *i)
{
    return is_input(i) ? 0 : dlpi_op_arity((dlpi_op)i->op);
}

static void find_affine(const dlpi_program *p, const bool *active, facts *f)
{
    for (int i = 0; i < p->n; i++) {
        const dlpi_instruction *at = &p->code[i];
        f[i] = (facts){.slot = -1, .affine = true};
        if (is_input(at)) f[i].active = active[at->arg[0]];
        bool all = true;
        for (int a = 0; a < arity(at); a++) {
            f[i].active = f[i].active || f[at->arg[a]].active;
            all = all && f[at->arg[a]].affine;
        }
        if (!f[i].active || is_input(at)) continue;
        const bool two = arity(at) == 2;
        switch (at->op) {
        case DLPI_OP_ADD:
        case DLPI_OP_SUB:
        case DLPI_OP_NEG: f[i].affine = all; break;
        case DLPI_OP_MUL:
            f[i].affine = all && two && !(f[at->arg[0]].active && f[at->arg[1]].active);
            break;
        case DLPI_OP_DIV: f[i].affine = all && two && !f[at->arg[1]].active; break;
        default: f[i].affine = false;
        }
    }
}

/* Makes slots of the instructions that are active and affine and that a nonaffine one
   uses; returns their number. */
static int mark_slots(const dlpi_program *p, facts *f)
{
    int k = 0;
    for (int i = 0; i < p->n; i++) f[i].to = -1;
    for (int i = 0; i < p->n; i++)
        for (int a = 0; a < arity(&p->code[i]); a++) {
            const int from = p->code[i].arg[a];
            if (!f[i].affine && f[from].active && f[from].affine) f[from].to = 0;
        }
    if (f[p->n - 1].active && f[p->n - 1].affine) f[p->n - 1].to = 0;
    for (int i = 0; i < p->n; i++)
        if (f[i].to == 0) f[i].slot = k++;
    return k;
}

/* Uses the active inputs as slots if there are fewer of them. */
static int mark_inputs(const dlpi_program *p, const bool *active, facts *f, int k)
{
    int n = 0;
    for (int i = 0; i < p->n; i++)
        n += is_input(&p->code[i]) && active[p->code[i].arg[0]];
    if (n >= k) return k;
    n = 0;
    for (int i = 0; i < p->n; i++)
        f[i].slot = is_input(&p->code[i]) && active[p->code[i].arg[0]] ? n++ : -1;
    return n;
}

/* ---- parts ---- */

/* Copies the instructions that the one at `root` needs; slots are inputs if `cut`. */
static dlp_status copy_part(const dlpi_program *p, facts *f, int root, bool cut,
                            int n_inputs, dlpi_program *to, dlp_error *error)
{
    for (int i = 0; i < p->n; i++) f[i].to = -1;
    f[root].to = 0;
    for (int i = root; i >= 0; i--) {
        if (f[i].to < 0 || (cut && f[i].slot >= 0)) continue;
        for (int a = 0; a < arity(&p->code[i]); a++) f[p->code[i].arg[a]].to = 0;
    }
    *to = (dlpi_program){.n_inputs = n_inputs};
    to->code = dlpi_calloc(root + 1, sizeof *to->code);
    if (!to->code) return dlpi_no_memory(error, "the factors of the model");
    for (int i = 0; i <= root; i++) {
        if (f[i].to < 0) continue;
        dlpi_instruction at = p->code[i];
        if (cut && f[i].slot >= 0)
            at = (dlpi_instruction){.op = DLPI_OP_DATA,
                                    .arg = {p->n_inputs + f[i].slot, -1, -1}};
        else
            for (int a = 0; a < arity(&at); a++) at.arg[a] = f[at.arg[a]].to;
        f[i].to = to->n;
        to->code[to->n++] = at;
    }
    return DLP_OK;
}

static dlp_status list_terms(const dlpi_program *part, const bool *active, int *n,
                             int **term, dlp_error *error)
{
    *n = 0;
    *term = dlpi_calloc(part->n, sizeof **term);
    if (!*term) return dlpi_no_memory(error, "the factors of the model");
    for (int i = 0; i < part->n; i++)
        if (is_input(&part->code[i]) && active[part->code[i].arg[0]])
            (*term)[(*n)++] = part->code[i].arg[0];
    return DLP_OK;
}

/* ---- degree ---- */

static int degree_of_power(const dlpi_program *p, const facts *f,
                           const dlpi_instruction *at)
{
    const dlpi_instruction *power = &p->code[at->arg[1]];
    const int base = f[at->arg[0]].degree;
    if (f[at->arg[1]].degree || power->op != DLPI_OP_LITERAL) return DLPI_NO_POLYNOMIAL;
    const double e = power->literal;
    return e >= 0 && e <= 8 && e == floor(e) ? base * (int)e : DLPI_NO_POLYNOMIAL;
}

static int find_degree(const dlpi_program *p, facts *f)
{
    for (int i = 0; i < p->n; i++) {
        const dlpi_instruction *at = &p->code[i];
        int most = 0, sum = 0;
        f[i].degree = f[i].slot >= 0 ? 1 : 0;
        if (f[i].slot >= 0 || !f[i].active) continue;
        for (int a = 0; a < arity(at); a++) {
            const int d = f[at->arg[a]].degree;
            most = d > most ? d : most;
            sum += d;
        }
        switch (at->op) {
        case DLPI_OP_ADD:
        case DLPI_OP_SUB:
        case DLPI_OP_NEG: f[i].degree = most; break;
        case DLPI_OP_MUL: f[i].degree = sum; break;
        case DLPI_OP_SQUARE: f[i].degree = 2 * sum; break;
        case DLPI_OP_DIV:
            f[i].degree = f[at->arg[1]].degree ? DLPI_NO_POLYNOMIAL : sum;
            break;
        case DLPI_OP_POW: f[i].degree = degree_of_power(p, f, at); break;
        default: f[i].degree = sum ? DLPI_NO_POLYNOMIAL : 0;
        }
        if (f[i].degree > DLPI_NO_POLYNOMIAL) f[i].degree = DLPI_NO_POLYNOMIAL;
    }
    return f[p->n - 1].degree;
}

/* ---- shape ---- */

/* If the result is a sum: the signs of its terms. */
static void find_signs(const dlpi_program *p, facts *f)
{
    for (int i = 0; i < p->n; i++) f[i].sign = 0;
    f[p->n - 1].sign = UP;
    for (int i = p->n - 1; i >= 0; i--) {
        const dlpi_instruction *at = &p->code[i];
        const int sign = f[i].sign,
                  other = (sign & UP ? DOWN : 0) | (sign & DOWN ? UP : 0);
        switch (at->op) {
        case DLPI_OP_ADD:
            f[at->arg[0]].sign |= sign;
            f[at->arg[1]].sign |= sign;
            break;
        case DLPI_OP_SUB:
            f[at->arg[0]].sign |= sign;
            f[at->arg[1]].sign |= other;
            break;
        case DLPI_OP_NEG: f[at->arg[0]].sign |= other; break;
        case DLPI_OP_MUL:
        case DLPI_OP_DIV: /* the other operand may be negative */
            for (int a = 0; a < 2; a++) f[at->arg[a]].sign |= sign ? UP | DOWN : 0;
            break;
        default: break;
        }
    }
}

/* Whether it may have several maxima: it is the logarithm of a sum of densities, or has
   the logarithm of a square, as in the tails of t distributions. */
static bool is_bumpy(const dlpi_program *p, facts *f)
{
    find_signs(p, f);
    for (int i = 0; i < p->n; i++) {
        const dlpi_instruction *at = &p->code[i];
        if (!f[i].active || !f[i].sign) continue;
        if (at->op == DLPI_OP_LOG_ADD_EXP && f[i].sign & UP) return true;
        if ((at->op == DLPI_OP_LOG || at->op == DLPI_OP_LOG1P_RATIO) &&
            f[at->arg[0]].degree == 2)
            return true;
    }
    return false;
}

/* ---- the whole ---- */

static dlp_status make(const dlpi_program *p, const bool *active, facts *f,
                       dlpi_slots *slots, dlp_error *error)
{
    find_affine(p, active, f);
    slots->k = mark_inputs(p, active, f, mark_slots(p, f));
    slots->degree = find_degree(p, f);
    slots->bumpy = is_bumpy(p, f);
    slots->affine = dlpi_calloc(slots->k, sizeof *slots->affine);
    slots->n_terms = dlpi_calloc(slots->k, sizeof *slots->n_terms);
    slots->term = dlpi_calloc(slots->k, sizeof *slots->term);
    if (!slots->affine || !slots->n_terms || !slots->term)
        return dlpi_no_memory(error, "the factors of the model");
    for (int i = 0; i < p->n; i++) {
        const int j = f[i].slot;
        if (j < 0) continue;
        DLP_TRY(copy_part(p, f, i, false, p->n_inputs, &slots->affine[j], error));
        DLP_TRY(list_terms(&slots->affine[j], active, &slots->n_terms[j], &slots->term[j],
                           error));
    }
    return copy_part(p, f, p->n - 1, true, p->n_inputs + slots->k, &slots->body, error);
}

dlp_status dlpi_slots_make(const dlpi_program *p, const bool *active, dlpi_slots *slots,
                           dlp_error *error)
{
    facts *f = dlpi_calloc(p->n, sizeof *f);
    *slots = (dlpi_slots){0};
    if (!f) return dlpi_no_memory(error, "the factors of the model");
    const dlp_status status = make(p, active, f, slots, error);
    free(f);
    return status;
}

void dlpi_slots_clear(dlpi_slots *s)
{
    for (int j = 0; j < s->k; j++) {
        if (s->affine) free(s->affine[j].code);
        if (s->term) free(s->term[j]);
    }
    free(s->affine);
    free(s->n_terms);
    free((void *)s->term);
    free(s->body.code);
    *s = (dlpi_slots){0};
}
