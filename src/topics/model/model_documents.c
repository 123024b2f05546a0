/* SPDX-License-Identifier: BSD-3-Clause */
/* The documents of a model's fit in a corpus. */
#include "topics/model/model.h"

#include "core/core.h"
#include "core/name_index.h"
#include "core/pool.h"

#include <string.h>

/* By name; one that several documents of the corpus share says nothing, unless documents
   are in the same order. */
static bool match_names(const dlp_corpus *c, dlp_index D, char *const *name,
                        struct dlpi_pool *pool, dlp_index *document)
{
    struct dlpi_name_index names = {.pool = pool};
    dlp_index *only = dlpi_pool_take(pool, c->D + 1, sizeof *only);
    for (dlp_index d = 0; only && d < c->D; d++) {
        const dlp_index before = names.n,
                        i = dlpi_name_index_add_text(&names, c->name[d]);
        if (i < 0) return false;
        only[i] = i == before ? d : -1;
    }
    for (dlp_index d = 0; only && d < D; d++) {
        const dlp_index i = dlpi_name_index_find_text(&names, name[d]);
        document[d] = i < 0 ? -1 : only[i];
        if (c->D == D && !strcmp(c->name[d], name[d])) document[d] = d;
    }
    return only != NULL;
}

dlp_status dlp_topic_model_find_documents(const dlp_topic_model *model,
                                          const dlp_corpus *corpus, dlp_index *document,
                                          dlp_index *found, dlp_error *error)
{
    const dlp_index D = dlp_topic_model_get_info(model)->D;
    char *const *name = dlp_topic_model_names(model);
    struct dlpi_pool pool = {NULL};
    bool enough = true;
    for (dlp_index d = 0; d < D; d++) document[d] = corpus->D == D ? d : -1;
    if (name && corpus->name) enough = match_names(corpus, D, name, &pool, document);
    dlpi_pool_free(&pool);
    if (!enough) return dlpi_no_memory(error, "the documents' names");
    *found = 0;
    for (dlp_index d = 0; d < D; d++) *found += document[d] >= 0;
    return DLP_OK;
}
