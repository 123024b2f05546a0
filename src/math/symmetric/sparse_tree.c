/* SPDX-License-Identifier: BSD-3-Clause */
/* The elimination tree: the parent of column j is the first row below the diagonal that
   column j of L has. */
#include "math/symmetric/sparse.h"

/* Row i of L starts with the paths up the tree from its entries. We shorten paths already
   seen, with shortcuts in room. */
void dlpi_sparse_tree(dlp_index n, const dlp_index *start, const int32_t *column,
                      int32_t *parent, int32_t *room)
{
    int32_t *ancestor = room;
    for (int32_t i = 0; i < n; i++) {
        parent[i] = ancestor[i] = -1;
        for (dlp_index e = start[i]; e < start[i + 1]; e++)
            for (int32_t k = column[e], next; k != -1 && k < i; k = next) {
                next = ancestor[k];
                ancestor[k] = i;
                if (next == -1) parent[k] = i;
            }
    }
}

/* Row i of L is the union of these paths: each step is an entry. */
void dlpi_sparse_counts(dlp_index n, const dlp_index *start, const int32_t *column,
                        const int32_t *parent, int32_t *count, int32_t *room)
{
    int32_t *mark = room;
    for (int32_t i = 0; i < n; i++) {
        count[i] = 1;
        mark[i] = i;
        for (dlp_index e = start[i]; e < start[i + 1]; e++)
            for (int32_t k = column[e]; mark[k] != i; k = parent[k]) {
                count[k]++;
                mark[k] = i;
            }
    }
}

/* Lists of children, smallest count first: each is put in front, in order of descending
   count. `by_count` (n+2) and `next` (n) are linked lists too. */
static void list_children(dlp_index n, const int32_t *parent, const int32_t *count,
                          int32_t *head, int32_t *next, int32_t *by_count)
{
    for (dlp_index k = 0; k <= n; k++) by_count[k] = head[k] = -1;
    for (int32_t i = 0; i < n; i++) {
        next[i] = by_count[count[i]];
        by_count[count[i]] = i;
    }
    for (dlp_index c = n; c >= 1; c--)
        for (int32_t i = by_count[c], following; i != -1; i = following) {
            const int32_t p = parent[i] == -1 ? (int32_t)n : parent[i];
            following = next[i];
            next[i] = head[p];
            head[p] = i;
        }
}

void dlpi_sparse_postorder(dlp_index n, const int32_t *parent, const int32_t *count,
                           int32_t *order, int32_t *room)
{
    int32_t *head = room, *next = head + n + 1, *by_count = next + n;
    list_children(n, parent, count, head, next, by_count);
    dlp_index at = 0;
    for (int32_t root = head[n]; root != -1; root = next[root]) {
        int32_t i = root;
        for (;;) {
            while (head[i] != -1) { /* down to the first child not yet visited */
                const int32_t child = head[i];
                head[i] = next[child];
                i = child;
            }
            order[at++] = i;
            if (i == root) break;
            i = parent[i];
        }
    }
}
