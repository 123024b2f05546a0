/* SPDX-License-Identifier: BSD-3-Clause */
/* Trees as R's deparse writes them: these are the names of variables and columns. */
#include "table/formula/formula.h"

#include <string.h>

static bool is_reserved(const char *name)
{
    static const char *const word[] = {
        "if",    "else", "repeat", "while",       "function", "for",           "next",
        "break", "TRUE", "FALSE",  "NULL",        "Inf",      "NaN",           "NA",
        "in",    ".",    "...",    "NA_integer_", "NA_real_", "NA_character_",
    };
    for (size_t i = 0; i < sizeof word / sizeof word[0]; i++)
        if (strcmp(name, word[i]) == 0) return true;
    return false;
}

/* True for a name that R, and the lexer, read without backquotes. */
static bool is_plain(const char *name)
{
    for (const char *c = name; *c; c++) {
        const bool digit = *c >= '0' && *c <= '9';
        const bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                            (unsigned char)*c >= 0x80;
        const bool begins = letter || (*c == '.' && !(c[1] >= '0' && c[1] <= '9'));
        if (c == name ? !begins : !(letter || digit || *c == '.' || *c == '_'))
            return false;
    }
    return *name && !is_reserved(name);
}

bool dlpi_text_add_name(struct dlpi_text *text, const char *name)
{
    if (is_plain(name)) return dlpi_text_add_string(text, name);
    bool ok = dlpi_text_add(text, "`", 1);
    for (; *name && ok; name++) {
        if (*name == '`' || *name == '\\') ok = dlpi_text_add(text, "\\", 1);
        ok = ok && dlpi_text_add(text, name, 1);
    }
    return ok && dlpi_text_add(text, "`", 1);
}

/* R sets spaces around these. */
static const char *spell(char op)
{
    switch (op) {
    case '+': return " + ";
    case '-': return " - ";
    case '*': return " * ";
    case '/': return "/";
    case ',': return ", ";
    case '^': return "^";
    default: return ":";
    }
}

/* A label being written. */
struct writer {
    struct dlpi_text text;
    const struct dlpi_dot *dot; /* what '.' stands for; NULL: it stays */
};

static bool add_node(struct writer *w, const struct dlpi_node *node);

/* As in dlpi_formula_write: alone in a sum the names need no parentheses. */
static bool add_dot(struct writer *w, bool is_free)
{
    if (!w->dot) return dlpi_text_add_string(&w->text, ".");
    bool ok = is_free || dlpi_text_add_string(&w->text, "(");
    for (dlp_index i = 0; i < w->dot->n && ok; i++)
        ok = (i == 0 || dlpi_text_add_string(&w->text, " + ")) &&
             dlpi_text_add_name(&w->text, w->dot->name[i]);
    return ok && (is_free || dlpi_text_add_string(&w->text, ")"));
}

static bool is_series(const struct dlpi_node *node)
{
    return node->kind == DLPI_NODE_OPTION && !strcmp(node->name, "|");
}

/* The parts of a node, with `between`, or the operator that each part has, between. */
static bool add_parts(struct writer *w, const struct dlpi_node *node, char between)
{
    for (const struct dlpi_node *part = node->first; part; part = part->next) {
        const bool is_free = node->kind == DLPI_NODE_SUM && part->op == '+';
        if (is_series(part)) { /* ar1(t | g) */
            if (!dlpi_text_add_string(&w->text, " | ") || !add_node(w, part->first))
                return false;
            continue;
        }
        if (part != node->first &&
            !dlpi_text_add_string(&w->text, spell(between ? between : part->op)))
            return false;
        if (part->kind == DLPI_NODE_DOT ? !add_dot(w, is_free) : !add_node(w, part))
            return false;
    }
    return true;
}

static bool add_node(struct writer *w, const struct dlpi_node *node)
{
    char number[DLPI_NUMBER_TEXT];
    switch (node->kind) {
    case DLPI_NODE_NUMBER:
        if (node->name) return dlpi_text_add_string(&w->text, node->name);
        dlpi_number_text(node->number, number);
        return dlpi_text_add_string(&w->text, number);
    case DLPI_NODE_NAME: return dlpi_text_add_name(&w->text, node->name);
    case DLPI_NODE_DOT: return add_dot(w, false);
    case DLPI_NODE_SIGN:
        return dlpi_text_add(&w->text, &node->op, 1) && add_parts(w, node, 0);
    case DLPI_NODE_POWER: return add_parts(w, node, '^');
    case DLPI_NODE_CALL:
        return dlpi_text_add_string(&w->text, node->function->name) &&
               dlpi_text_add_string(&w->text, "(") && add_parts(w, node, ',') &&
               dlpi_text_add_string(&w->text, ")");
    case DLPI_NODE_OPTION:
        return dlpi_text_add_string(&w->text, node->name) &&
               dlpi_text_add_string(&w->text, " = ") && add_parts(w, node, ',');
    case DLPI_NODE_TEXT:
        return dlpi_text_add_string(&w->text, "\"") &&
               dlpi_text_add_string(&w->text, node->name) &&
               dlpi_text_add_string(&w->text, "\"");
    case DLPI_NODE_LIST:
        return dlpi_text_add_string(&w->text, "c(") && add_parts(w, node, ',') &&
               dlpi_text_add_string(&w->text, ")");
    case DLPI_NODE_PAREN:
        return dlpi_text_add_string(&w->text, "(") && add_parts(w, node, 0) &&
               dlpi_text_add_string(&w->text, ")");
    case DLPI_NODE_BAR: /* is no variable, so it has no label */
    case DLPI_NODE_SUM:
    case DLPI_NODE_PRODUCT:
    case DLPI_NODE_COLON: break;
    }
    return add_parts(w, node, 0);
}

const char *dlpi_label(const struct dlpi_node *node, struct dlpi_pool *pool)
{
    struct writer w = {.text = {.pool = pool}};
    return add_node(&w, node) ? w.text.data : NULL;
}

const char *dlpi_bar_label(const struct dlpi_node *terms, const struct dlpi_dot *dot,
                           struct dlpi_pool *pool)
{
    struct writer w = {.text = {.pool = pool}, .dot = dot};
    if (terms->first->op == '-' && !dlpi_text_add_string(&w.text, "-")) return NULL;
    return add_node(&w, terms) ? w.text.data : NULL;
}

const char *dlpi_term_label(const struct dlpi_expansion *expansion,
                            const struct dlpi_term *term, struct dlpi_pool *pool)
{
    struct dlpi_text text = {.pool = pool};
    for (dlp_index k = 0; k < term->order; k++) {
        const struct dlpi_variable *variable = &expansion->variable[term->variable[k]];
        const char *label = variable->whole ? variable->whole : variable->label;
        if ((k > 0 && !dlpi_text_add_string(&text, ":")) ||
            !dlpi_text_add_string(&text, label))
            return NULL;
    }
    return text.data;
}
