/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/communities.h"

#include <stdlib.h>

/* A group is identified by its first node. */
typedef struct partition {
    int n;
    double *share;  /* (n, n) shares of all edge weight, between and within groups */
    double *degree; /* (n) row sums; 0 for a group that was merged into another */
    int *group;     /* (n) each node's group */
} partition;

static void fill_shares(const partition *p, int edges, const dlpi_graph_edge *edge)
{
    double total = 0;
    for (int e = 0; e < edges; e++) total += 2 * edge[e].weight;
    for (int e = 0; e < edges; e++) {
        const int i = edge[e].i, j = edge[e].j;
        const double share = edge[e].weight / total;
        p->share[i * p->n + j] += share;
        p->share[j * p->n + i] += share;
        p->degree[i] += share;
        p->degree[j] += share;
    }
}

/* The pair whose merging increases modularity most; false if none does. */
static bool best_merge(const partition *p, int *a, int *b)
{
    double most = 1e-9;
    bool found = false;
    for (int i = 0; i < p->n; i++)
        for (int j = i + 1; j < p->n; j++) {
            const double between = p->share[i * p->n + j];
            const double gain = 2 * (between - p->degree[i] * p->degree[j]);
            if (!(between > 0) || gain <= most) continue;
            most = gain;
            *a = i;
            *b = j;
            found = true;
        }
    return found;
}

/* Merges b into a. */
static void merge(const partition *p, int a, int b)
{
    const int n = p->n;
    for (int k = 0; k < n; k++) {
        p->share[a * n + k] += p->share[b * n + k];
        p->share[b * n + k] = 0;
    }
    for (int k = 0; k < n; k++) {
        p->share[k * n + a] += p->share[k * n + b];
        p->share[k * n + b] = 0;
    }
    p->degree[a] += p->degree[b];
    p->degree[b] = 0;
    for (int k = 0; k < n; k++)
        if (p->group[k] == b) p->group[k] = a;
}

/* Whether group a comes before b: larger sums first, ties by first node. */
static bool comes_before(const double *sum, int a, int b)
{
    if (sum[a] != sum[b]) return sum[a] > sum[b];
    return a < b;
}

/* Replaces first nodes by group numbers; -1 for groups of one node. */
static void number(const partition *p, const double *size, double *sum, int *count)
{
    const int n = p->n;
    for (int k = 0; k < n; k++) {
        sum[p->group[k]] += size[k];
        count[p->group[k]]++;
    }
    for (int k = 0; k < n; k++) {
        const int own = p->group[k];
        int before = 0;
        for (int g = 0; g < n; g++) before += count[g] > 1 && comes_before(sum, g, own);
        p->group[k] = count[own] > 1 ? before : -1;
    }
}

bool dlpi_communities(int n, int edges, const dlpi_graph_edge *edge, const double *size,
                      int *group)
{
    const size_t N = (size_t)n;
    double *real = calloc(N * N + 2 * N, sizeof *real);
    int *count = calloc(N, sizeof *count);
    const bool done = real && count;
    if (done) {
        const partition p = {n, real, real + N * N, group};
        int a, b;
        for (int k = 0; k < n; k++) group[k] = k;
        fill_shares(&p, edges, edge);
        while (best_merge(&p, &a, &b)) merge(&p, a, b);
        number(&p, size, real + N * N + N, count);
    }
    free(real);
    free(count);
    return done;
}
