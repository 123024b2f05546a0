/* SPDX-License-Identifier: BSD-3-Clause */
/* Which nodes are summarised. */
#include "bugs/bugs.h"
#include "core/core.h"
#include "core/suggest.h"

#include <stdio.h>
#include <string.h>

enum { LARGE = 2000 }; /* arrays with more elements are not shown unless asked for */

static bool is_unknown(const dlpi_graph *g, dlp_index cell)
{
    return g->kind[cell] == DLPI_CELL_LATENT || g->kind[cell] == DLPI_CELL_COMPUTED;
}

static dlp_index count_unknown(const dlpi_graph *g, const dlpi_array *a)
{
    dlp_index n = 0;
    for (dlp_index i = 0; i < a->size; i++) n += is_unknown(g, a->first + i);
    return n;
}

/* The indices of one dimension, "2", "1:3" or nothing: from 1. */
static bool read_range(const char **text, dlp_index most, dlp_index *first,
                       dlp_index *last)
{
    long long a = 1, b = most;
    int used = 0;
    if (**text != ',' && **text != ']') {
        if (sscanf(*text, "%lld%n", &a, &used) != 1) return false;
        *text += used;
        b = a;
        if (**text == ':') {
            if (sscanf(*text, ":%lld%n", &b, &used) != 1) return false;
            *text += used;
        }
    }
    *first = a;
    *last = b;
    return a >= 1 && b >= a && b <= most;
}

/* The cells of "name[indices]" that lie in a box. */
static bool read_indices(const char *text, const dlpi_array *a,
                         dlp_index first[DLPI_MAX_DIM], dlp_index last[DLPI_MAX_DIM])
{
    for (int d = 0; d < a->n_dim; d++) {
        first[d] = 1;
        last[d] = a->dim[d];
    }
    if (!*text) return true;
    if (*text++ != '[') return false;
    for (int d = 0; d < a->n_dim; d++) {
        if (!read_range(&text, a->dim[d], &first[d], &last[d])) return false;
        if (*text++ != (d + 1 < a->n_dim ? ',' : ']')) return false;
    }
    return a->n_dim > 0 && !*text;
}

static bool inside(const dlpi_array *a, dlp_index i, const dlp_index *first,
                   const dlp_index *last)
{
    for (int d = 0; d < a->n_dim; d++) {
        const dlp_index at = i % a->dim[d] + 1;
        if (at < first[d] || at > last[d]) return false;
        i /= a->dim[d];
    }
    return true;
}

static const dlpi_array *find_array(const dlpi_graph *g, const char *text, size_t size)
{
    for (int i = 0; i < g->n_arrays; i++)
        if (strlen(g->array[i].name) == size && !memcmp(g->array[i].name, text, size))
            return &g->array[i];
    return NULL;
}

static dlp_status unknown_name(const dlpi_graph *g, const char *text, size_t size,
                               dlp_error *error)
{
    const char *best = NULL;
    char name[128];
    snprintf(name, sizeof name, "%.*s", (int)(size < 127 ? size : 127), text);
    const char **names = dlpi_calloc(g->n_arrays, sizeof *names);
    for (int i = 0; names && i < g->n_arrays; i++) names[i] = g->array[i].name;
    if (names) best = dlpi_suggest(name, names, g->n_arrays);
    (void)dlp_fail(error, DLP_EINPUT, "the model has no node '%s'%s%s%s", name,
                   best ? "; did you mean '" : "", best ? best : "", best ? "'?" : "");
    free((void *)names);
    return DLP_EINPUT;
}

static dlp_status add_monitor(const dlpi_graph *g, const char *text, dlp_index *cells,
                              dlp_index *n, bool *taken, dlp_error *error)
{
    const size_t size = strcspn(text, "[");
    const dlpi_array *a = find_array(g, text, size);
    dlp_index first[DLPI_MAX_DIM], last[DLPI_MAX_DIM], added = 0;
    if (!a && strcmp(text, "deviance") == 0) {
        const dlp_index cell = dlpi_deviance_cell(g);
        if (!taken[cell]) cells[(*n)++] = cell;
        taken[cell] = true;
        return DLP_OK;
    }
    if (!a) return unknown_name(g, text, size, error);
    if (!read_indices(text + size, a, first, last))
        return dlp_fail(error, DLP_EINPUT,
                        "'%s': the indices do not fit the dimensions of '%s'", text,
                        a->name);
    for (dlp_index i = 0; i < a->size; i++) {
        const dlp_index cell = a->first + i;
        if (!inside(a, i, first, last) || !is_unknown(g, cell)) continue;
        added++;
        if (taken[cell]) continue;
        taken[cell] = true;
        cells[(*n)++] = cell;
    }
    if (added) return DLP_OK;
    return dlp_fail(error, DLP_EINPUT, "'%s' is data: there is nothing to estimate",
                    text);
}

dlp_status dlpi_monitored(const dlpi_graph *g, const dlp_bugs_settings *settings,
                          dlp_index **cells, dlp_index *n, dlp_index *left_out,
                          dlp_error *error)
{
    bool *taken = dlpi_calloc(g->n_cells + 1, sizeof *taken);
    dlp_status status = DLP_OK;
    *cells = dlpi_calloc(g->n_cells + 1, sizeof **cells);
    *n = *left_out = 0;
    if (!*cells || !taken) status = dlpi_no_memory(error, "the nodes");
    for (int i = 0; i < settings->n_monitors && status == DLP_OK; i++)
        status = add_monitor(g, settings->monitor[i], *cells, n, taken, error);
    for (int i = 0; i < g->n_arrays && status == DLP_OK && !settings->n_monitors; i++) {
        const dlpi_array *a = &g->array[i];
        const dlp_index unknown = count_unknown(g, a);
        if (unknown > LARGE) *left_out += unknown;
        for (dlp_index k = 0; k < a->size && unknown <= LARGE; k++)
            if (is_unknown(g, a->first + k)) (*cells)[(*n)++] = a->first + k;
    }
    free(taken);
    return status;
}
