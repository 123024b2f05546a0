/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tests of the topic model share: a small corpus, a fit of it, and a folder. */
#ifndef TOPIC_MODEL_SUPPORT_H
#define TOPIC_MODEL_SUPPORT_H

#include "support.h"

#include <unistd.h>

enum { K = 3, DOCUMENTS = 120 };

static const char packages[] = DLP_TEST_DIR "/data/packages.ldac";

/* The first documents of the packages. */
static inline dlp_corpus *open_corpus(dlp_index documents)
{
    dlp_corpus *whole = NULL, *part = NULL;
    assert_ok(dlp_corpus_open(packages, NULL, &whole, error));
    unsigned char *keep = calloc((size_t)whole->D, 1);
    assert_non_null(keep);
    for (dlp_index d = 0; d < documents; d++) keep[d] = 1;
    assert_ok(dlp_corpus_select(whole, keep, &part, error));
    free(keep);
    dlp_corpus_free(whole);
    return part;
}

static inline dlp_topics_settings settings_for(dlp_index topics)
{
    dlp_topics_settings settings = dlp_topics_settings_default();
    settings.K = topics;
    settings.max_iter = 6;
    settings.threads = 2;
    return settings;
}

static inline dlp_topic_model *fit(const dlp_corpus *corpus)
{
    const dlp_topics_settings settings = settings_for(K);
    dlp_topic_model *model = NULL;
    assert_ok(dlp_topic_model_fit(corpus, NULL, &settings, &model, error));
    return model;
}

static inline void assert_same_numbers(const double *a, const double *b, dlp_index n)
{
    assert_non_null(a);
    assert_non_null(b);
    assert_memory_equal(a, b, (size_t)n * sizeof *a);
}

static inline void assert_same_model(const dlp_topic_model *a, const dlp_topic_model *b)
{
    const dlp_topics *s = dlp_topic_model_topics(a), *t = dlp_topic_model_topics(b);
    const dlp_index D = dlp_topic_model_get_info(a)->D;
    assert_int_equal(s->K, t->K);
    assert_int_equal(s->V, t->V);
    assert_int_equal(s->p, t->p);
    assert_same_numbers(s->beta, t->beta, s->K * s->V);
    assert_same_numbers(s->Gamma, t->Gamma, s->p * s->K);
    assert_same_numbers(s->Sigma0, t->Sigma0, s->K * s->K);
    assert_same_numbers(dlp_topic_model_theta(a), dlp_topic_model_theta(b), D * s->K);
    assert_string_equal(dlp_topic_model_json(a), dlp_topic_model_json(b));
}

static char *read_all(const char *folder, const char *name, size_t *size)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *in = fopen(path, "rb");
    if (!in) return NULL;
    char *bytes = malloc(1 << 22);
    assert_non_null(bytes);
    *size = fread(bytes, 1, 1 << 22, in);
    fclose(in);
    return bytes;
}

static inline void assert_same_file(const char *a, const char *b, const char *name)
{
    size_t n = 0, m = 0;
    char *x = read_all(a, name, &n), *y = read_all(b, name, &m);
    assert_int_equal(x != NULL, y != NULL);
    assert_int_equal(n, m);
    if (x && y) assert_memory_equal(x, y, n);
    free(x);
    free(y);
}

/* A folder of this test, and inside it a path. */
static char work[64], path_a[128], path_b[128];

static inline int set_up(void **state)
{
    (void)state;
    snprintf(work, sizeof work, "/tmp/delaplace-model-XXXXXX");
    assert_non_null(mkdtemp(work));
    snprintf(path_a, sizeof path_a, "%s/a", work);
    snprintf(path_b, sizeof path_b, "%s/b", work);
    return 0;
}

static inline void remove_all(const char *path)
{
    char command[256];
    snprintf(command, sizeof command, "rm -rf '%s'", path);
    assert_int_equal(system(command), 0);
}

static inline int tear_down(void **state)
{
    (void)state;
    remove_all(work);
    return 0;
}

/* x of document i is i + 1 / (i + 1), and nothing for every seventh; rows are backwards. */
static inline dlp_table *backward_table(dlp_index D, bool named)
{
    char *text = malloc(64 * (size_t)D + 64);
    assert_non_null(text);
    size_t used = (size_t)sprintf(text, named ? "id,x,g\n" : "x,g\n");
    for (dlp_index i = 0; i < D; i++) {
        const dlp_index d = named ? D - 1 - i : i;
        if (named) used += (size_t)sprintf(text + used, "doc%td,", d);
        if (d % 7 != 3)
            used +=
                (size_t)sprintf(text + used, "%.17g", (double)d + 1 / ((double)d + 1));
        used += (size_t)sprintf(text + used, ",%s\n", d % 2 ? "odd" : "even");
    }
    dlp_table *table = NULL;
    assert_ok(dlp_table_parse("t.csv", text, used, NULL, &table, error));
    free(text);
    return table;
}

#endif
