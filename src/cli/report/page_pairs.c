/* SPDX-License-Identifier: BSD-3-Clause */
/* Which topics go together, and how certain that is, for a report. */
#include "cli/report/page.h"

static int add_pair(const dlp_topic_association *pair, json_t *list)
{
    return json_array_append_new(list, cli_page_rounded(pair->correlation, 1000)) |
           json_array_append_new(list, cli_page_rounded(pair->lower, 1000)) |
           json_array_append_new(list, cli_page_rounded(pair->upper, 1000));
}

json_t *cli_page_pairs(const cli_topics_graph *graph)
{
    json_t *list = json_array();
    bool failed = !list;
    for (dlp_index i = 0; i < graph->K && !failed; i++)
        for (dlp_index j = i + 1; j < graph->K && !failed; j++)
            failed = add_pair(cli_topics_graph_pair(graph, i, j), list) != 0;
    if (!failed) return list;
    json_decref(list);
    return NULL;
}
