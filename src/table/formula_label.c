/* SPDX-License-Identifier: BSD-3-Clause */
/* Trees as R's deparse writes them: these are the names of variables and columns. */
#include "table/formula.h"

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

static bool add_node(struct dlpi_text *text, const struct dlpi_node *node);

/* The parts of a node, with `between`, or the operator that each part has, between. */
static bool add_parts(struct dlpi_text *text, const struct dlpi_node *node, char between)
{
    for (const struct dlpi_node *part = node->first; part; part = part->next) {
        if (part != node->first &&
            !dlpi_text_add_string(text, spell(between ? between : part->op)))
            return false;
        if (!add_node(text, part)) return false;
    }
    return true;
}

static bool add_node(struct dlpi_text *text, const struct dlpi_node *node)
{
    char number[DLPI_NUMBER_TEXT];
    switch (node->kind) {
    case DLPI_NODE_NUMBER:
        dlpi_number_text(node->number, number);
        return dlpi_text_add_string(text, number);
    case DLPI_NODE_NAME: return dlpi_text_add_name(text, node->name);
    case DLPI_NODE_DOT: return dlpi_text_add_string(text, ".");
    case DLPI_NODE_SIGN:
        return dlpi_text_add(text, &node->op, 1) && add_parts(text, node, 0);
    case DLPI_NODE_POWER: return add_parts(text, node, '^');
    case DLPI_NODE_CALL:
        return dlpi_text_add_string(text, node->function->name) &&
               dlpi_text_add_string(text, "(") && add_parts(text, node, ',') &&
               dlpi_text_add_string(text, ")");
    case DLPI_NODE_PAREN:
        return dlpi_text_add_string(text, "(") && add_parts(text, node, 0) &&
               dlpi_text_add_string(text, ")");
    case DLPI_NODE_BAR: /* is no variable, so it has no label */
    case DLPI_NODE_SUM:
    case DLPI_NODE_PRODUCT:
    case DLPI_NODE_COLON: break;
    }
    return add_parts(text, node, 0);
}

const char *dlpi_label(const struct dlpi_node *node, struct dlpi_pool *pool)
{
    struct dlpi_text text = {.pool = pool};
    return add_node(&text, node) ? text.data : NULL;
}

const char *dlpi_term_label(const struct dlpi_expansion *expansion,
                            const struct dlpi_term *term, struct dlpi_pool *pool)
{
    struct dlpi_text text = {.pool = pool};
    for (dlp_index k = 0; k < term->order; k++) {
        const char *label = expansion->variable[term->variable[k]].label;
        if ((k > 0 && !dlpi_text_add_string(&text, ":")) ||
            !dlpi_text_add_string(&text, label))
            return NULL;
    }
    return text.data;
}
