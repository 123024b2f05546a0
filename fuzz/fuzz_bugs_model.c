/* SPDX-License-Identifier: BSD-3-Clause */
/* Any text as a model, over a few small arrays. A model without an error is sound: every
   element is defined, every instance has its place in the order, and every variable of its
   relations can be resolved. For a small one, the plan of its unknowns is made, too. */
#include "bugs/plan/plan.h"
#include "fuzz_sound.h"
#include "language/model.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static const double x[] = {2.385, 0.71, 3.14, 0.99, NAN, 5.83}, n = 3,
                    g[] = {1, 2, 3, 1, 2, 3};
static const dlp_index six[] = {6}, matrix[] = {2, 3};
static const dlp_bugs_array arrays[] = {
    {"x", 1, six, x}, {"n", 0, NULL, &n}, {"g", 1, six, g}, {"M", 2, matrix, g}};

static void refer(const dlpi_graph *graph, const dlpi_relation *r, const int32_t *loop,
                  const dlpi_syntax *s)
{
    if (s->kind == DLPI_SYNTAX_VARIABLE && dlpi_loop_depth(r, s->name) < 0) {
        dlpi_cells cells = {0};
        dlpi_reference reference;
        dlp_error error = {0};
        dlp_index unknown;
        const dlp_status status = dlpi_graph_refer(graph, r, loop, s, NULL, &cells,
                                                   &reference, &unknown, &error);
        fuzz_expect(status == DLP_OK || error.message[0]);
        fuzz_expect(status == DLP_OK || unknown < graph->n_cells);
        for (dlp_index i = 0; status == DLP_OK && i < reference.n; i++)
            fuzz_expect(reference.cell[i] >= 0 && reference.cell[i] < graph->n_cells);
        free(cells.cell);
    }
    for (int i = 0; i < s->n_args; i++) refer(graph, r, loop, s->arg[i]);
}

static void expect_sound(const dlpi_graph *g0)
{
    dlp_index instances = 0;
    for (int r = 0; r < g0->n_relations; r++) {
        const dlpi_relation *const relation = g0->of[r].relation;
        instances += g0->of[r].n;
        for (dlp_index i = 0; i < g0->of[r].n && i < 10; i++)
            refer(g0, relation, g0->of[r].loop + i * relation->n_loops, relation->right);
    }
    fuzz_expect(instances == g0->n_order);
    for (dlp_index i = 0; i < g0->n_order; i++) {
        const int32_t r = g0->order[2 * i];
        fuzz_expect(r >= 0 && r < g0->n_relations);
        fuzz_expect(g0->order[2 * i + 1] >= 0 && g0->order[2 * i + 1] < g0->of[r].n);
    }
    for (dlp_index c = 0; c < g0->n_cells; c++) {
        const dlpi_array *const a = dlpi_cell_array(g0, c);
        fuzz_expect(c >= a->first && c < a->first + a->size);
        fuzz_expect(
            (g0->kind[c] == DLPI_CELL_NONE || g0->kind[c] == DLPI_CELL_CONSTANT) ||
            g0->definer[c] >= 0);
        fuzz_expect(g0->kind[c] != DLPI_CELL_CONSTANT || !isnan(g0->value[c]));
    }
}

/* How unknowns are treated: every one that data depend on has a role. */
static void classify(const dlpi_graph *graph)
{
    enum { MOST_CELLS = 40 }; /* sums over the states of more take long */
    dlpi_lowering lowering = {0};
    dlpi_factors factors = {0};
    dlpi_plan plan = {0};
    dlp_error error = {0};
    if (graph->n_cells > MOST_CELLS) return;
    dlp_status status = dlpi_lowering_make(graph, NULL, &lowering, &error);
    lowering.may_rely = true;
    if (status == DLP_OK) status = dlpi_factors_make(&lowering, &factors, &error);
    if (lowering.found_relied_on) {
        dlpi_factors_clear(&factors);
        status = dlpi_lowering_free_relied_on(&lowering, &error);
        if (status == DLP_OK) status = dlpi_factors_make(&lowering, &factors, &error);
    }
    if (status == DLP_OK) status = dlpi_factors_merge(&factors, &error);
    if (status == DLP_OK) status = dlpi_plan_make(&factors, true, &plan, &error);
    fuzz_expect(status == DLP_OK || error.message[0]);
    for (dlp_index k = 0; status == DLP_OK && k < factors.n_nodes; k++) {
        const dlpi_node *node = &factors.node[k];
        fuzz_expect(!node->alive || node->discrete ||
                    plan.role[factors.node_cell[node->first]] != DLPI_ROLE_NONE);
    }
    dlpi_plan_clear(&plan);
    dlpi_factors_clear(&factors);
    dlpi_lowering_clear(&lowering);
}

static dlp_status read_model(const uint8_t *data, size_t size, dlpi_graph **graph,
                             dlp_error *error)
{
    dlpi_diagnostics *found = calloc(1, sizeof *found);
    char *text = malloc(size + 1);
    if (!text || !found) abort();
    if (size > 0) memcpy(text, data, size);
    text[size] = '\0';
    const dlp_bugs_input input = {
        .model_text = text, .n_data = 4, .data = arrays, .limit = 3000};
    *graph = NULL;
    const dlp_status status = dlpi_bugs_read(&input, graph, found, error);
    dlpi_diagnostics_clear(found);
    free(found);
    free(text);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    dlp_error error = {0};
    dlpi_graph *graph;
    const dlp_status status = read_model(data, size, &graph, &error);
    fuzz_expect(fuzz_passes(status == DLP_OK) == (graph != NULL));
    fuzz_expect(status == DLP_OK || error.message[0]);
    if (graph) expect_sound(graph);
    if (graph) classify(graph);
    dlpi_graph_free(graph);
    return 0;
}

/* ---- changes ---- */

static bool passes(const uint8_t *data, size_t size)
{
    dlpi_graph *graph;
    const bool read = read_model(data, size, &graph, NULL) == DLP_OK;
    dlpi_graph_free(graph);
    return read;
}

static bool is_word(int c)
{
    return isalnum(c) || c == '.' || c == '_';
}

/* The next word, number or sign from *at on; its size, or 0 at the end. */
static size_t next_token(const uint8_t *text, size_t size, size_t *at)
{
    while (*at < size && isspace(text[*at])) ++*at;
    size_t end = *at;
    while (end < size && is_word(text[end])) end++;
    return end > *at ? end - *at : *at < size;
}

/* Something of the same kind: a distribution or function, a variable, a number, a sign. */
static const char *another(fuzz_text *t, const uint8_t *token, bool called)
{
    static const char *const name[] = {"x", "n", "g", "M", "mu", "tau", "z", "i", "x[1]"},
                             *const number[] = {"0",   "1",   "2",      "3",
                                                "0.5", "6",   "1.0E-6", "1E300",
                                                "-1",  "1:3", "M[]",    "g[2]"},
                             *const sign[] = {"+", "-", "*", "/", "^", "~", "<-", ","};
    static const char *const function[] = {
        "dnorm",  "dgamma",    "dunif",   "dbern",  "dcat",   "dbin",       "dpois",
        "dmnorm", "dwish",     "ddirch",  "dmulti", "dt",     "dexp",       "dbeta",
        "dlnorm", "dinterval", "dround",  "dsum",   "dhyper", "dflat",      "dnormmix",
        "dweib",  "exp",       "log",     "pow",    "step",   "equals",     "sum",
        "inprod", "sort",      "inverse", "ifelse", "max",    "interp.lin", "rank",
        "phi",    "mean",      "T",       "rep"};
    if (isdigit(token[0])) return FUZZ_ONE_OF(t, number);
    if (!is_word(token[0])) return FUZZ_ONE_OF(t, sign);
    return called ? FUZZ_ONE_OF(t, function) : FUZZ_ONE_OF(t, name);
}

/* Puts another token in the place of one. */
static size_t change(fuzz_text *t, uint8_t *data, size_t size, size_t most)
{
    size_t at = 0, length;
    int tokens = 0;
    while ((length = next_token(data, size, &at)) > 0) at += length, tokens++;
    if (tokens == 0) return 0;
    const int chosen = fuzz_chance(t, tokens);
    at = 0;
    length = next_token(data, size, &at);
    for (int i = 0; i < chosen; i++) {
        at += length;
        length = next_token(data, size, &at);
    }
    const size_t end = at + length;
    const char *to = another(t, data + at, end < size && data[end] == '(');
    const size_t room = strlen(to);
    if (size - length + room > most) return 0;
    memmove(data + at + room, data + end, size - end);
    memcpy(data + at, to, room);
    return size - length + room;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
    static const fuzz_sound sound = {.passes = passes, .change = change};
    return fuzz_mutate_sound(&sound, data, size, most, seed);
}
