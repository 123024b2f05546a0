/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A checkpoint of a topic fit. Its magic, its fingerprint and its checksum are set; otherwise a
 * file with a changed byte would never be read. Whatever it holds is refused with a message, or the
 * fit goes on from there to sound topics.
 */
#include "fuzz_sound.h"

#include <delaplace.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char path[64];
static struct {
    dlp_corpus *corpus;
    uint8_t head[24]; /* magic and fingerprint */
} belongs;

static dlp_ctm *make_fit(void)
{
    dlp_topics_settings settings = dlp_topics_settings_default();
    dlp_ctm *ctm = NULL;
    settings.K = 2;
    settings.max_iter = 4;
    settings.threads = 1;
    fuzz_expect(dlp_ctm_alloc(belongs.corpus, NULL, &settings, &ctm, NULL) == DLP_OK);
    return ctm;
}

static void clean_up(void)
{
    (void)unlink(path);
    dlp_corpus_free(belongs.corpus);
}

static void write_file(const uint8_t *data, size_t size)
{
    FILE *out = fopen(path, "wb");
    fuzz_expect(out != NULL);
    fuzz_expect(fwrite(data, 1, size, out) == size);
    fuzz_expect(fclose(out) == 0);
}

/* What every checkpoint of this fit begins with. */
static void learn_head(void)
{
    dlp_ctm *ctm = make_fit();
    fuzz_expect(dlp_ctm_start(ctm, NULL) == DLP_OK);
    dlp_ctm_step(ctm);
    fuzz_expect(dlp_ctm_save(ctm, path, NULL) == DLP_OK);
    FILE *in = fopen(path, "rb");
    fuzz_expect(in &&
                fread(belongs.head, 1, sizeof belongs.head, in) == sizeof belongs.head);
    fclose(in);
    dlp_ctm_free(ctm);
}

static void prepare(void)
{
    static const dlp_index row[] = {0, 2, 4, 6, 8};
    static const int32_t term[] = {0, 1, 0, 2, 1, 2, 0, 2},
                         count[] = {5, 1, 4, 2, 3, 6, 1, 7};
    const char *above = getenv("TMPDIR");
    if (belongs.corpus) return;
    snprintf(path, sizeof path, "%.30s/fuzz-checkpoint-%ld", above ? above : "/tmp",
             (long)getpid());
    fuzz_expect(dlp_corpus_from_csr(4, 3, row, term, count, NULL, NULL, &belongs.corpus,
                                    NULL) == DLP_OK);
    learn_head();
    fuzz_expect(atexit(clean_up) == 0);
}

/* FNV-1a over 8 bytes at a time, as src/topics/ctm/ctm_checkpoint.c has it. */
static uint64_t checksum_of(const uint8_t *bytes, size_t size)
{
    uint64_t h = 0xcbf29ce484222325, word;
    for (; size >= sizeof word; bytes += sizeof word, size -= sizeof word) {
        memcpy(&word, bytes, sizeof word);
        h = (h ^ word) * 0x100000001b3;
        h ^= h >> 32;
    }
    for (; size > 0; size--) h = (h ^ *bytes++) * 0x100000001b3;
    return h;
}

static void write_sealed(const uint8_t *data, size_t size)
{
    uint8_t *sealed = malloc(size + 1);
    fuzz_expect(sealed != NULL);
    if (size > 0) memcpy(sealed, data, size);
    if (size >= sizeof belongs.head + sizeof(uint64_t)) {
        memcpy(sealed, belongs.head, sizeof belongs.head);
        const uint64_t checksum = checksum_of(sealed, size - sizeof checksum);
        memcpy(sealed + size - sizeof checksum, &checksum, sizeof checksum);
    }
    write_file(sealed, size);
    free(sealed);
}

/* The fit goes on. */
static void expect_sound(dlp_ctm *ctm)
{
    dlp_topics topics;
    dlp_ctm_run(ctm);
    const dlp_topics_result *r = dlp_ctm_result(ctm);
    fuzz_expect(r->iterations >= 1 && dlp_ctm_topics(ctm, &topics, NULL) == DLP_OK);
    fuzz_expect(r->outcome == DLP_DIVERGED || dlp_topics_check(&topics, NULL) == DLP_OK);
    for (int i = 0; i < 4 * 2 && r->outcome != DLP_DIVERGED; i++)
        fuzz_expect(isfinite(r->mu[i]));
    dlp_topics_free(&topics);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    dlp_error error = {0};
    prepare();
    write_sealed(data, size);
    dlp_ctm *ctm = make_fit();
    if (fuzz_passes(dlp_ctm_load(ctm, path, &error) == DLP_OK))
        expect_sound(ctm);
    else
        fuzz_expect(error.message[0] != '\0');
    dlp_ctm_free(ctm);
    return 0;
}

/* ---- inputs ---- */

static bool passes(const uint8_t *data, size_t size)
{
    prepare();
    write_sealed(data, size);
    dlp_ctm *ctm = make_fit();
    const bool read = dlp_ctm_load(ctm, path, NULL) == DLP_OK;
    dlp_ctm_free(ctm);
    return read;
}

static size_t change(fuzz_text *t, uint8_t *data, size_t size, size_t most)
{
    (void)most;
    fuzz_change_numbers(t, data, size);
    return size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
    static const fuzz_sound sound = {passes, change};
    return fuzz_mutate_sound(&sound, data, size, most, seed);
}
