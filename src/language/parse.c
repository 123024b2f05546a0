/* SPDX-License-Identifier: BSD-3-Clause */
/* var, data{}, model{}, relations and loops. An error ends only its own relation. */
#include "language/parse.h"

#include "core/suggest.h"
#include "language/parser.h"

#include <string.h>

static void complain(struct dlpi_parser *p, dlpi_position place, const char *message)
{
    dlpi_report(p->found, true, p->source, place, "%s", message);
}

static bool at_name(const struct dlpi_parser *p, const char *name)
{
    return p->at->kind == DLPI_TOKEN_NAME && strcmp(p->at->name, name) == 0;
}

static bool at_end(const struct dlpi_parser *p)
{
    return p->at->kind == DLPI_TOKEN_END;
}

/* Whether a word begins a line that continues like a relation or a loop. */
static bool begins_relation(const dlpi_bugs_token *t)
{
    const int32_t line = t->place.line;
    if (t->kind != DLPI_TOKEN_NAME || !t->begins_line) return false;
    if (strcmp(t->name, "for") == 0 && t->called) return true;
    for (; t->kind != DLPI_TOKEN_END && t->place.line == line; t++)
        if (t->kind == DLPI_TOKEN_ARROW || (t->kind == DLPI_TOKEN_SIGN && t->sign == '~'))
            return true;
    return false;
}

/* After an error: skips to the next relation, or to the end of the block. */
static void recover(struct dlpi_parser *p, const dlpi_bugs_token *from)
{
    if (p->at == from && !at_end(p)) p->at++;
    while (!at_end(p) && !dlpi_at_sign(p, '}') && !begins_relation(p->at)) {
        if (dlpi_pass_sign(p, ';')) return;
        p->at++;
    }
}

static dlpi_relation *add_relation(struct dlpi_parser *p)
{
    dlpi_model_syntax *const m = p->model;
    if (m->n_relations >= p->relation_room) {
        const dlp_index room = p->relation_room ? 2 * p->relation_room : 64;
        dlpi_relation *more = dlpi_pool_take(p->names->pool, room, sizeof *more);
        if (!more) {
            p->no_memory = true;
            return NULL;
        }
        if (m->n_relations > 0)
            memcpy(more, m->relation, (size_t)m->n_relations * sizeof *more);
        m->relation = more;
        p->relation_room = room;
    }
    return &m->relation[m->n_relations++];
}

/* T(lower, upper) or I(lower, upper), either of which may be left out. */
static bool parse_truncation(struct dlpi_parser *p, dlpi_relation *r)
{
    if (!(p->at->called && (at_name(p, "T") || at_name(p, "I")))) return true;
    r->truncation = at_name(p, "T") ? DLPI_TRUNCATED_T : DLPI_TRUNCATED_I;
    p->at += 2;
    if (!dlpi_at_sign(p, ',') && !(r->lower = dlpi_parse_expression(p))) return false;
    if (!dlpi_pass_sign(p, ',')) {
        dlpi_parse_expected(p, "',' between the bounds");
        return false;
    }
    if (!dlpi_at_sign(p, ')') && !(r->upper = dlpi_parse_expression(p))) return false;
    if (dlpi_pass_sign(p, ')')) return true;
    dlpi_parse_expected(p, "')'");
    return false;
}

static bool parse_distribution(struct dlpi_parser *p, dlpi_relation *r)
{
    if (p->at->kind != DLPI_TOKEN_NAME || !p->at->called) {
        dlpi_parse_expected(p, "a distribution, such as dnorm(0, 1)");
        return false;
    }
    r->right = dlpi_parse_call(p);
    return r->right && parse_truncation(p, r);
}

/* Past the next { ... }, if it begins on this line. */
static void skip_block(struct dlpi_parser *p)
{
    const int32_t line = p->at->place.line;
    while (!at_end(p) && !dlpi_at_sign(p, '{') && p->at->place.line == line) p->at++;
    if (!dlpi_pass_sign(p, '{')) return;
    for (int open = 1; open > 0 && !at_end(p); p->at++)
        open += dlpi_at_sign(p, '{') ? 1 : dlpi_at_sign(p, '}') ? -1 : 0;
}

const char *const dlpi_bugs_link_name[] = {[DLPI_BUGS_NO_LINK] = NULL,
                                           [DLPI_BUGS_LOG] = "log",
                                           [DLPI_BUGS_LOGIT] = "logit",
                                           [DLPI_BUGS_PROBIT] = "probit",
                                           [DLPI_BUGS_CLOGLOG] = "cloglog"};

/* Says why what looks like a call may not stand on the left. */
static void refuse_call(struct dlpi_parser *p, const dlpi_bugs_token *t)
{
    const char *const *const links = dlpi_bugs_link_name + 1; /* after that of none */
    enum { LINKS = DLPI_BUGS_CLOGLOG };
    const char *suggestion = dlpi_suggest(t->name, links, LINKS);
    if (!suggestion && t[2].kind == DLPI_TOKEN_NAME && t[3].kind == DLPI_TOKEN_SIGN &&
        (t[3].sign == ')' || t[3].sign == ','))
        dlpi_report(p->found, true, p->source, t->place,
                    "indices go in square brackets: %s[%s]", t->name, t[2].name);
    else
        dlpi_report(p->found, true, p->source, t->place,
                    suggestion ? "'%s' is not a link function; did you mean '%s'?"
                               : "'%s' is not a link function; those allowed on the left "
                                 "of '<-' are log, logit, probit and cloglog%s",
                    t->name, suggestion ? suggestion : "");
}

/* logit(p[i]) <- ... */
static bool parse_link(struct dlpi_parser *p, dlpi_relation *r)
{
    const dlpi_bugs_token *const t = p->at;
    dlpi_bugs_link link = DLPI_BUGS_CLOGLOG;
    while (link > DLPI_BUGS_NO_LINK && strcmp(t->name, dlpi_bugs_link_name[link]) != 0)
        link--;
    if (strcmp(t->name, "if") == 0 || strcmp(t->name, "while") == 0) {
        dlpi_report(p->found, true, p->source, t->place,
                    "there is no '%s': write ifelse(condition, a, b), or an index that "
                    "depends on the data",
                    t->name);
        skip_block(p);
        return false;
    }
    if (!link) {
        refuse_call(p, t);
        return false;
    }
    r->link = link;
    p->at += 2;
    if (p->at->kind != DLPI_TOKEN_NAME || p->at->called) {
        dlpi_parse_expected(p, "a variable");
        return false;
    }
    r->left = dlpi_parse_variable(p);
    if (!r->left) return false;
    if (dlpi_pass_sign(p, ')')) return true;
    dlpi_parse_expected(p, "')'");
    return false;
}

static bool parse_left(struct dlpi_parser *p, dlpi_relation *r)
{
    if (p->at->kind != DLPI_TOKEN_NAME) {
        dlpi_parse_expected(p, "a relation or a loop");
        return false;
    }
    if (p->at->called) return parse_link(p, r);
    r->left = dlpi_parse_variable(p);
    return r->left != NULL;
}

/* Neither '<-' nor '~' follows what should be a variable. */
static void complain_of_sign(struct dlpi_parser *p)
{
    const dlpi_bugs_token *const before = p->at - 1;
    const bool declares = before->kind == DLPI_TOKEN_NAME &&
                          p->at->kind == DLPI_TOKEN_NAME &&
                          before->place.line == p->at->place.line;
    if (declares && strcmp(before->name, "for") == 0)
        dlpi_parse_expected(p, "'(' after 'for', as in for (i in 1:N) {");
    else if (declares)
        dlpi_report(p->found, true, p->source, before->place,
                    "variables have no types here: leave '%s' out", before->name);
    else if (dlpi_at_sign(p, '-') && p->at[1].kind == DLPI_TOKEN_SIGN &&
             p->at[1].sign == '>')
        complain(p, p->at->place, "there is no '->': write the variable on the left");
    else
        dlpi_parse_expected(p, "'<-' or '~'");
}

static bool parse_right(struct dlpi_parser *p, dlpi_relation *r)
{
    if (p->at->kind == DLPI_TOKEN_ARROW) {
        p->at++;
        r->right = dlpi_parse_expression(p);
        return r->right != NULL;
    }
    if (!dlpi_at_sign(p, '~')) {
        complain_of_sign(p);
        return false;
    }
    r->stochastic = true;
    if (r->link) {
        complain(p, r->place,
                 "a link function is allowed on the left of '<-', not of '~'; write the "
                 "variable alone");
        return false;
    }
    p->at++;
    return parse_distribution(p, r);
}

/* Whether a relation ends here: at the end of its line or block, or at ';'. */
static bool ends_here(struct dlpi_parser *p)
{
    if (dlpi_pass_sign(p, ';')) return true;
    if (at_end(p) || dlpi_at_sign(p, '}')) return true;
    if (p->at->kind == DLPI_TOKEN_NAME) return true; /* JAGS needs no line end either */
    dlpi_parse_expected(p, "an operator or the end of the relation");
    return false;
}

static void parse_relation(struct dlpi_parser *p)
{
    const dlpi_bugs_token *const from = p->at;
    dlpi_relation r = {.in_data = p->in_data, .loop = p->loop, .place = from->place};
    r.n_loops = p->loop ? p->loop->depth + 1 : 0;
    if (!parse_left(p, &r) || !parse_right(p, &r) || !ends_here(p)) {
        recover(p, from);
        return;
    }
    r.place = r.left->place;
    for (const dlpi_loop *l = p->loop; l; l = l->outer)
        if (l->name == r.left->name) {
            dlpi_report(p->found, true, p->source, r.left->place,
                        "'%s' is the variable of a loop (line %d) and cannot be defined "
                        "inside it",
                        l->name, l->place.line);
            return;
        }
    dlpi_relation *added = add_relation(p);
    if (added) *added = r;
}

static void parse_block(struct dlpi_parser *p);

/* for (i in range) */
static dlpi_loop *parse_loop_head(struct dlpi_parser *p)
{
    const dlpi_position place = p->at->place;
    p->at += 2; /* for ( */
    if (p->at->kind != DLPI_TOKEN_NAME || p->at->called) {
        dlpi_parse_expected(p, "the name of the loop's variable");
        return NULL;
    }
    const char *name = p->at->name;
    const dlpi_position named = p->at++->place;
    if (!at_name(p, "in")) {
        dlpi_parse_expected(p, "'in', as in for (i in 1:N)");
        return NULL;
    }
    p->at++;
    dlpi_syntax *range = dlpi_parse_expression(p);
    if (!range) return NULL;
    if (!dlpi_pass_sign(p, ')')) {
        dlpi_parse_expected(p, "')'");
        return NULL;
    }
    dlpi_loop *loop = dlpi_pool_take(p->names->pool, 1, sizeof *loop);
    if (!loop) {
        p->no_memory = true;
        return NULL;
    }
    *loop = (dlpi_loop){p->loop, name, range, place, p->loop ? p->loop->depth + 1 : 0};
    for (const dlpi_loop *l = p->loop; l; l = l->outer)
        if (l->name == name)
            dlpi_report(
                p->found, true, p->source, named,
                "'%s' is already the variable of the loop at line %d; use another name",
                name, l->place.line);
    return loop;
}

static void parse_loop(struct dlpi_parser *p)
{
    const dlpi_bugs_token *const from = p->at;
    dlpi_loop *loop = parse_loop_head(p);
    if (!loop) {
        /* Skips its relations: they would only complain about the loop's variable. */
        while (!at_end(p) && !dlpi_at_sign(p, '{') && !begins_relation(p->at)) p->at++;
        if (p->at == from) p->at++;
        if (!dlpi_pass_sign(p, '{')) return;
        for (int open = 1; open > 0 && !at_end(p); p->at++)
            open += dlpi_at_sign(p, '{') ? 1 : dlpi_at_sign(p, '}') ? -1 : 0;
        return;
    }
    if (loop->depth >= DLPI_MAX_LOOPS) {
        complain(p, loop->place, "more than 32 nested loops");
        p->at = p->last;
        return;
    }
    if (!dlpi_at_sign(p, '{')) {
        dlpi_parse_expected(p, "'{' after the head of the loop");
        recover(p, from);
        return;
    }
    p->loop = loop;
    parse_block(p);
    p->loop = loop->outer;
    dlpi_pass_sign(p, ';');
}

/* { relations } */
static void parse_block(struct dlpi_parser *p)
{
    const dlpi_position open = p->at++->place;
    while (!at_end(p) && !dlpi_at_sign(p, '}') && !p->no_memory) {
        if (dlpi_pass_sign(p, ';')) continue;
        if (at_name(p, "for") && p->at->called)
            parse_loop(p);
        else
            parse_relation(p);
    }
    if (!dlpi_pass_sign(p, '}') && !p->no_memory)
        complain(p, open, "this '{' is not closed");
}

static void add_declaration(struct dlpi_parser *p, const dlpi_syntax *variable)
{
    dlpi_model_syntax *const m = p->model;
    if (m->n_declarations >= p->declaration_room) {
        const dlp_index room = p->declaration_room ? 2 * p->declaration_room : 64;
        dlpi_declaration *more = dlpi_pool_take(p->names->pool, room, sizeof *more);
        if (!more) {
            p->no_memory = true;
            return;
        }
        if (m->n_declarations > 0)
            memcpy(more, m->declaration, (size_t)m->n_declarations * sizeof *more);
        m->declaration = more;
        p->declaration_room = room;
    }
    m->declaration[m->n_declarations++].variable = variable;
}

/* var x, y[N,2]; */
static void parse_declarations(struct dlpi_parser *p)
{
    p->at++;
    do {
        if (p->at->kind != DLPI_TOKEN_NAME) {
            dlpi_parse_expected(p, "the name of a variable");
            break;
        }
        dlpi_syntax *variable = dlpi_parse_variable(p);
        if (!variable) break;
        add_declaration(p, variable);
    } while (dlpi_pass_sign(p, ',') && !p->no_memory);
    while (!at_end(p) && !at_name(p, "model") && !at_name(p, "data")) {
        if (dlpi_pass_sign(p, ';')) continue;
        dlpi_parse_expected(p, "';' after the variables");
        while (!at_end(p) && !at_name(p, "model") && !at_name(p, "data")) p->at++;
    }
}

/* model leuk; const ... */
static bool is_old(const dlpi_tokens *tokens)
{
    const dlpi_bugs_token *t = tokens->token;
    return tokens->n > 3 && t->kind == DLPI_TOKEN_NAME && strcmp(t->name, "model") == 0 &&
           t[1].kind == DLPI_TOKEN_NAME && t[2].kind == DLPI_TOKEN_SIGN &&
           t[2].sign == ';';
}

static void parse_part(struct dlpi_parser *p)
{
    const bool is_model = at_name(p, "model");
    if (at_name(p, "var")) {
        parse_declarations(p);
        return;
    }
    if (!is_model && !at_name(p, "data")) {
        dlpi_parse_expected(p, p->model->has_model && p->at[-1].sign == '}'
                                   ? "the end of the file, because the '}' before this "
                                     "closed the model"
                                   : "'model {', 'data {' or 'var'");
        while (!at_end(p) && !at_name(p, "model") && !at_name(p, "data")) p->at++;
        if (at_end(p)) p->model->has_model = true; /* avoids a second error */
        return;
    }
    if (is_model && p->model->has_model)
        complain(p, p->at->place, "a second 'model' block; a file may have only one");
    p->at++;
    p->in_data = !is_model;
    p->model->has_model |= is_model;
    if (dlpi_at_sign(p, '{'))
        parse_block(p);
    else if (p->at->kind == DLPI_TOKEN_ARROW) {
        complain(p, p->at->place,
                 "a model file begins with 'model {', not with R's '<- function() {'");
        p->at = p->last;
    } else
        dlpi_parse_expected(p, "'{'");
}

dlp_status dlpi_bugs_parse(const dlpi_source *source, bool loose_ranges,
                           dlpi_names *names, dlpi_model_syntax *model,
                           dlpi_diagnostics *found, dlp_error *error)
{
    dlpi_tokens tokens = {0};
    const int n = found->n, n_errors = found->n_errors;
    *model = (dlpi_model_syntax){0};
    dlp_status status = dlpi_bugs_lex(source, names, &tokens, found, error);
    if (status == DLP_OK && is_old(&tokens)) {
        found->n = n; /* do not report its wrong characters */
        found->n_errors = n_errors;
        dlpi_report(found, true, source, tokens.token->place,
                    "BUGS 0.5 syntax ('model %s;', 'const'); JAGS does not accept it "
                    "either: write 'model {', and give constants as data",
                    tokens.token[1].name);
    } else if (status == DLP_OK) {
        struct dlpi_parser p = {
            .source = source, .names = names, .found = found, .model = model};
        p.at = tokens.token;
        p.loose_ranges = loose_ranges;
        p.last = tokens.token + tokens.n - 1;
        while (!at_end(&p) && !p.no_memory) parse_part(&p);
        if (!model->has_model && !p.no_memory)
            complain(&p, p.at->place, "there is no 'model { ... }' block");
        if (p.no_memory) status = dlpi_no_memory_to_read(error, source->name);
    }
    free(tokens.token);
    return status;
}
