/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The folder of a topic model. An input is its files one after another, each headed by a
 * line "%%%NAME". Whatever they hold is refused with a message, or is a sound model that
 * can be saved, loaded again and applied to a document.
 *
 * The checksums in model.json are corrected before it is loaded; otherwise a file with a
 * changed byte would never be read.
 */
#include "fuzz_json.h"
#include "fuzz_sound.h"

#include "topics/model/folder.h"

#include <delaplace.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const names[] = {
    "model.json",    "beta.npy",         "mu.npy",
    "gamma.npy",     "sigma.npy",        "theta.npy",
    "vocab.txt",     "docs.txt",         "trace.csv",
    "beta_time.npy", "beta_time_sd.npy", "slice.npy",
    "slices.txt",    "beta_content.npy", "beta_content_sd.npy",
    "content.npy",   "content_sd.npy",   "groups.txt"};
enum { NAMES = sizeof names / sizeof names[0], MODEL_JSON = 0 };

/* ---- folders ---- */

static char loaded[64], saved[64];

static void file_path(const char *folder, const char *name, char path[128])
{
    snprintf(path, 128, "%s/%s", folder, name);
}

static void clear_folder(const char *folder)
{
    for (int i = 0; i < NAMES; i++) {
        char path[128];
        file_path(folder, names[i], path);
        (void)unlink(path);
    }
}

static void remove_folders(void)
{
    clear_folder(loaded);
    clear_folder(saved);
    (void)rmdir(loaded);
    (void)rmdir(saved);
}

static void make_folder(char path[64])
{
    const char *above = getenv("TMPDIR");
    snprintf(path, 64, "%.40s/fuzz-model-XXXXXX", above ? above : "/tmp");
    fuzz_expect(mkdtemp(path) != NULL);
}

static void make_folders(void)
{
    if (loaded[0]) return;
    make_folder(loaded);
    make_folder(saved);
    fuzz_expect(atexit(remove_folders) == 0);
}

/* ---- the files of an input ---- */

typedef struct file {
    const char *data;
    size_t size;
} file;

/* The name on the line at `at`, or -1. */
static int heading(const char *at, const char *end, const char **behind)
{
    for (int i = 0; i < NAMES; i++) {
        const size_t length = strlen(names[i]);
        if ((size_t)(end - at) < length + 4 || memcmp(at, "%%%", 3) != 0) continue;
        if (memcmp(at + 3, names[i], length) != 0 || at[3 + length] != '\n') continue;
        *behind = at + length + 4;
        return i;
    }
    return -1;
}

static void part_input(const char *at, const char *end, file part[NAMES])
{
    file *now = NULL;
    while (at < end) {
        const char *behind = at + 1;
        const int i = heading(at, end, &behind);
        if (i >= 0) {
            now = &part[i];
            *now = (file){behind, 0};
        } else if (now) {
            now->size++;
        }
        at = behind;
    }
}

static void write_file(const char *name, const char *data, size_t size)
{
    char path[128];
    file_path(loaded, name, path);
    FILE *out = fopen(path, "wb");
    fuzz_expect(out != NULL);
    fuzz_expect(fwrite(data, 1, size, out) == size);
    fuzz_expect(fclose(out) == 0);
}

static void set_checksums(json_t *list)
{
    for (int i = 1; i < NAMES; i++) {
        char path[128];
        json_t *sum = NULL;
        file_path(loaded, names[i], path);
        if (json_object_get(list, names[i]) &&
            dlpi_folder_checksum(path, &sum, NULL) == DLP_OK)
            fuzz_expect(json_object_set_new(list, names[i], sum) == 0);
    }
}

static void write_model_json(const file *model)
{
    json_t *info = json_loadb(model->data, model->size, JSON_REJECT_DUPLICATES, NULL);
    json_t *list = json_object_get(info, "files");
    char *text = NULL;
    if (json_is_object(list)) {
        set_checksums(list);
        text = json_dumps(info, JSON_COMPACT);
    }
    if (text)
        write_file(names[MODEL_JSON], text, strlen(text));
    else
        write_file(names[MODEL_JSON], model->data, model->size);
    free(text);
    json_decref(info);
}

static void write_files(const uint8_t *data, size_t size)
{
    file part[NAMES] = {{NULL, 0}};
    part_input((const char *)data, (const char *)data + size, part);
    for (int i = 1; i < NAMES; i++)
        if (part[i].data) write_file(names[i], part[i].data, part[i].size);
    if (part[MODEL_JSON].data) write_model_json(&part[MODEL_JSON]);
}

/* ---- promises ---- */

static void expect_sound(const dlp_topic_model *model)
{
    const dlp_topic_model_info *info = dlp_topic_model_get_info(model);
    const dlp_topics *t = dlp_topic_model_topics(model);
    int n;
    fuzz_expect(info->K == t->K && info->V == t->V && info->p == t->p && info->D >= 1);
    fuzz_expect(dlp_topics_check(t, NULL) == DLP_OK);
    fuzz_expect(dlp_topic_model_theta(model) != NULL && info->init && info->method);
    fuzz_expect(names_are_sound((char **)dlp_topic_model_names(model), info->D));
    fuzz_expect(names_are_sound((char **)dlp_topic_model_vocab(model), info->V));
    fuzz_expect((dlp_topic_model_covariate_terms(model) != NULL) ==
                (dlp_topic_model_columns(model) != NULL));
    fuzz_expect((dlp_topic_model_trace(model, &n) != NULL) == (n > 0));
    fuzz_expect(dlp_topic_model_json(model)[0] == '{');
}

/* Intervals of n logarithms with these sds have ends that are numbers. */
static void expect_intervals(dlp_index n, const double *middle, const double *sd)
{
    for (dlp_index i = 0; i < n; i++)
        fuzz_expect(sd[i] >= 0 && isfinite((middle ? middle[i] : 0) - 4 * sd[i]));
}

static void expect_sound_parts(const dlp_topic_model *model)
{
    const dlp_topic_slices *s = dlp_topic_model_slices(model);
    const dlp_topic_content *c = dlp_topic_model_content(model);
    const dlp_topics *t = dlp_topic_model_topics(model);
    if (s) expect_intervals(s->T * t->K * t->V, NULL, s->sd);
    if (!c) return;
    expect_intervals(c->G * c->K * c->V, NULL, c->sd);
    expect_intervals(c->G * c->V, c->common, c->common_sd);
}

/* What was saved is the same when loaded again. */
static void expect_same_again(const dlp_topic_model *model)
{
    const dlp_topics *t = dlp_topic_model_topics(model), *u;
    dlp_topic_model *again = NULL;
    dlp_error error = {0};
    clear_folder(saved);
    fuzz_expect(dlp_topic_model_save(model, saved, &error) == DLP_OK);
    fuzz_expect(dlp_topic_model_load(saved, DLP_LOAD_ALL, &again, &error) == DLP_OK);
    u = dlp_topic_model_topics(again);
    fuzz_expect(t->K == u->K && t->V == u->V && t->p == u->p);
    fuzz_expect(!memcmp(t->beta, u->beta, (size_t)(t->K * t->V) * sizeof *t->beta));
    fuzz_expect(!strcmp(dlp_topic_model_json(model), dlp_topic_model_json(again)));
    dlp_topic_model_free(again);
}

/* A document of the model's first terms. */
static void apply(const dlp_topic_model *model)
{
    const dlp_topics *t = dlp_topic_model_topics(model);
    const int32_t term[] = {0, 1}, count[] = {2, 1};
    const dlp_index row[] = {0, t->V > 1 ? 2 : 1};
    double *pi = calloc((size_t)t->K, sizeof *pi);
    dlp_inference_settings settings = dlp_inference_settings_default();
    dlp_corpus *corpus = NULL;
    dlp_error error = {0};
    settings.threads = 1;
    fuzz_expect(pi != NULL);
    fuzz_expect(dlp_corpus_from_csr(1, t->V, row, term, count, NULL, NULL, &corpus,
                                    NULL) == DLP_OK);
    const dlp_status status =
        dlp_topic_model_infer(model, corpus, NULL, &settings, pi, NULL, NULL, &error);
    fuzz_expect(status == DLP_OK || error.message[0] != '\0');
    for (dlp_index k = 0; k < t->K && status == DLP_OK; k++)
        fuzz_expect(pi[k] >= 0 && pi[k] <= 1 + 1e-9);
    dlp_corpus_free(corpus);
    free(pi);
}

static dlp_status load(const uint8_t *data, size_t size, dlp_topic_model **model,
                       dlp_error *error)
{
    make_folders();
    clear_folder(loaded);
    write_files(data, size);
    return dlp_topic_model_load(loaded, DLP_LOAD_ALL, model, error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    dlp_topic_model *model = NULL;
    dlp_error error = {0};
    if (!fuzz_passes(load(data, size, &model, &error) == DLP_OK)) {
        fuzz_expect(!model && error.message[0] != '\0');
        return 0;
    }
    expect_sound(model);
    expect_sound_parts(model);
    expect_same_again(model);
    if (!dlp_topic_model_covariate_terms(model)) apply(model);
    dlp_topic_model_free(model);
    return 0;
}

/* ---- inputs ---- */

/* Changes a file of the input: a value of model.json, a number of an array; 0: this file
   cannot be changed like this. */
static size_t change_part(fuzz_text *t, uint8_t *data, size_t size, size_t most,
                          const file *part, bool json)
{
    const size_t npy = 128; /* the header of an array */
    const size_t from = (size_t)(part->data - (const char *)data),
                 behind = size - from - part->size;
    static uint8_t rest[1 << 20];
    if (!json) {
        if (part->size <= npy) return 0;
        fuzz_change_numbers(t, data + from + npy, part->size - npy);
        return size;
    }
    if (behind + 1 > sizeof rest) return 0;
    memcpy(rest, data + from + part->size, behind);
    const size_t changed =
        fuzz_change_json(t, data + from, part->size, most - from - behind - 1);
    if (changed == 0) return 0;
    data[from + changed] = '\n';
    memcpy(data + from + changed + 1, rest, behind);
    return from + changed + 1 + behind;
}

static size_t change(fuzz_text *t, uint8_t *data, size_t size, size_t most)
{
    file part[NAMES] = {{NULL, 0}};
    part_input((const char *)data, (const char *)data + size, part);
    const int i = fuzz_chance(t, 2) ? MODEL_JSON : fuzz_chance(t, NAMES);
    if (!part[i].data || size + 64 > most) return 0;
    return change_part(t, data, size, most, &part[i], i == MODEL_JSON);
}

static bool passes(const uint8_t *data, size_t size)
{
    dlp_topic_model *model = NULL;
    const bool read = load(data, size, &model, NULL) == DLP_OK;
    dlp_topic_model_free(model);
    return read;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
    static const fuzz_sound sound = {passes, change};
    return fuzz_mutate_sound(&sound, data, size, most, seed);
}
