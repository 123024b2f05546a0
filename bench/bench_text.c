/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Text to words, to counts, to a corpus, beside the floor of the job: one pass over the
 * bytes. Usage: bench_text [FILE]; without one, text is drawn with the frequencies of
 * Zipf's law, in Latin letters and in Cyrillic ones.
 */
#include "corpus/text/text_builder.h"

#include <delaplace.h>
#include <delaplace/random.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { DOCUMENTS = 20000, WORDS = 300, TERMS = 30000, LETTERS = 12 };

/* CPU time: the question is how fast a core is. */
static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void check(bool holds, const char *otherwise)
{
    if (holds) return;
    fprintf(stderr, "bench_text: %s\n", otherwise);
    exit(4);
}

/* A word made from its number; frequent ones, with low numbers, are short. */
static void write_word(FILE *out, dlp_index number, bool cyrillic)
{
    dlp_rng rng = dlp_rng_at(2385, (uint64_t)number);
    int letters = 2;
    for (dlp_index reach = 20; reach < number && letters < LETTERS; reach *= 3) letters++;
    for (int i = 0; i < letters; i++) {
        const int letter = (int)(25.99 * dlp_draw_uniform(&rng));
        if (cyrillic)
            fprintf(out, "\xd0%c", 0xb0 + letter % 16);
        else
            putc('a' + letter, out);
    }
}

/* One document per line. The number of a word is log-uniform, which is Zipf's law. */
static void write_text(FILE *out, bool cyrillic)
{
    for (uint64_t d = 0; d < DOCUMENTS; d++) {
        dlp_rng rng = dlp_rng_at(1902, d);
        for (int n = 0; n < WORDS; n++) {
            dlp_index number = 1;
            const double u = dlp_draw_uniform(&rng);
            for (double reach = u * 15; reach > 1 && number < TERMS; reach--) number *= 2;
            number += (dlp_index)(dlp_draw_uniform(&rng) * (double)number);
            write_word(out, number, cyrillic);
            fputs(n + 1 < WORDS ? n % 9 == 8 ? ", " : " " : "\n", out);
        }
    }
}

static struct dlpi_bytes draw_text(bool cyrillic)
{
    struct dlpi_bytes text = {0};
    FILE *out = open_memstream(&text.data, &text.size);
    check(out, "not enough memory");
    write_text(out, cyrillic);
    check(fclose(out) == 0, "not enough memory");
    return text;
}

/* ---- the jobs ---- */

static void show(const char *job, size_t bytes, double begun)
{
    const double took = seconds() - begun;
    printf("  %-28s %8.3f s %8.0f MB/s\n", job, took, 1e-6 * (double)bytes / took);
}

static void measure(const char *name, const struct dlpi_bytes *text)
{
    struct dlpi_words w;
    dlp_text_builder *b = NULL;
    dlp_corpus *c = NULL;
    dlp_index words = 0;
    uint64_t sum = 0;
    printf("%s, %.0f MB\n", name, 1e-6 * (double)text->size);
    double begun = seconds();
    for (size_t i = 0; i + sizeof sum <= text->size; i += sizeof sum) {
        uint64_t eight = 0;
        memcpy(&eight, text->data + i, sizeof eight);
        sum ^= eight;
    }
    check(sum != 1, "the floor was not measured"); /* so that the sum is needed */
    show("one pass over the bytes", text->size, begun);
    begun = seconds();
    dlpi_words_start(&w, false);
    dlpi_words_open(&w, text->data, text->size);
    while (dlpi_words_next(&w)) words++;
    show("words", text->size, begun);
    begun = seconds();
    check(dlp_text_builder_alloc(NULL, &b, NULL) == DLP_OK &&
              dlpi_text_add_lines(b, text->data, text->size, NULL) == DLP_OK,
          "the text is not counted");
    show("words and counts", text->size, begun);
    dlp_text_report report;
    check(dlp_text_builder_finish(b, &c, &report, NULL) == DLP_OK &&
              report.words == words,
          "the corpus is not made");
    show("words, counts and corpus", text->size, begun);
    dlp_corpus_free(c);
    dlp_text_builder_free(b);
}

int main(int argc, char **argv)
{
    struct dlpi_bytes text = {0};
    if (argc > 1) {
        check(dlpi_input_read(argv[1], NULL, &text, NULL) == DLP_OK,
              "cannot read the file");
        measure(argv[1], &text);
        free(text.data);
        return 0;
    }
    for (int cyrillic = 0; cyrillic < 2; cyrillic++) {
        text = draw_text(cyrillic != 0);
        measure(cyrillic ? "Cyrillic text" : "Latin text", &text);
        free(text.data);
    }
    return 0;
}
