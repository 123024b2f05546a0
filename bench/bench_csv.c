/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Megabytes of CSV per second, from memory and from a file, beside floors of the job: to
 * find the line ends by memchr, as `wc -l` does, and to read the file; and beside strtod
 * over the same fields. Every value is compared with the one that was written. Usage:
 * bench_csv [ROWS COLUMNS DIGITS]; without them, tables of 100,000 rows and 51 columns.
 */
#include <delaplace/random.h>
#include <delaplace/table.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { REPEATS = 5 };

static char path[] = "/tmp/delaplace-bench-csv-XXXXXX";

static void check(int holds, const char *what)
{
    if (holds) return;
    fprintf(stderr, "bench_csv: %s\n", what);
    (void)unlink(path);
    exit(4);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- the table ---- */

struct shape {
    dlp_index rows, columns;
    int digits;
};

/* A response of 0 and 1, then normals. */
static double draw(dlp_rng *rng, dlp_index column)
{
    return column == 0 ? dlp_draw_uniform(rng) < 0.5 : dlp_draw_normal(rng);
}

/* Writes the table to the file and returns its size. */
static size_t write_table(const struct shape *s)
{
    FILE *file = fopen(path, "w");
    check(file != NULL, "cannot write a file");
    for (dlp_index j = 0; j < s->columns; j++)
        fprintf(file, "x%td%c", j, j + 1 < s->columns ? ',' : '\n');
    for (dlp_index i = 0; i < s->rows; i++) {
        dlp_rng rng = dlp_rng_at(2385, (uint64_t)i);
        for (dlp_index j = 0; j < s->columns; j++)
            fprintf(file, "%.*g%c", s->digits, draw(&rng, j),
                    j + 1 < s->columns ? ',' : '\n');
    }
    const long size = ftell(file);
    check(fclose(file) == 0 && size > 0, "cannot write a file");
    return (size_t)size;
}

static void compare(const dlp_table *t, const struct shape *s)
{
    check(t->rows == s->rows && t->columns == s->columns, "the shape is wrong");
    for (dlp_index i = 0; i < s->rows; i++) {
        dlp_rng rng = dlp_rng_at(2385, (uint64_t)i);
        for (dlp_index j = 0; j < s->columns; j++) {
            double x = draw(&rng, j);
            if (s->digits < 17) {
                char text[32];
                snprintf(text, sizeof text, "%.*g", s->digits, x);
                x = strtod(text, NULL);
            }
            check(t->column[j].number && t->column[j].number[i] == x, "a value is wrong");
        }
    }
}

/* ---- the jobs ---- */

struct text {
    char *data;
    size_t size;
};

static void read_file(const struct text *text, const struct shape *s)
{
    (void)s;
    const int fd = open(path, O_RDONLY);
    char *data = malloc(text->size + 1);
    size_t used = 0;
    check(fd >= 0 && data, "cannot read the file");
    for (ssize_t got = 1; got > 0; used += (size_t)got) {
        got = read(fd, data + used, text->size + 1 - used);
        check(got >= 0, "cannot read the file");
    }
    check(used == text->size, "the file has another size");
    free(data);
    close(fd);
}

static void count_lines(const struct text *text, const struct shape *s)
{
    const char *at = text->data, *const end = at + text->size;
    dlp_index lines = 0;
    for (; (at = memchr(at, '\n', (size_t)(end - at))); at++) lines++;
    check(lines == s->rows + 1, "the lines are wrong");
}

static void call_strtod(const struct text *text, const struct shape *s)
{
    char *at = strchr(text->data, '\n') + 1;
    dlp_index values = 0;
    double sum = 0;
    for (; *at; values++) {
        sum += strtod(at, &at);
        at++;
    }
    check(values == s->rows * s->columns && isfinite(sum), "the values are wrong");
}

static void parse_text(const struct text *text, const struct shape *s)
{
    dlp_table *t = NULL;
    check(dlp_table_parse("bench", text->data, text->size, NULL, &t, NULL) == DLP_OK &&
              t->rows == s->rows,
          "the text is not parsed");
    dlp_table_free(t);
}

static void read_table(const struct text *text, const struct shape *s)
{
    dlp_table *t = NULL;
    (void)text;
    check(dlp_table_read(path, NULL, &t, NULL) == DLP_OK && t->rows == s->rows,
          "the file is not read");
    dlp_table_free(t);
}

static const struct {
    const char *name;
    void (*run)(const struct text *, const struct shape *);
} jobs[] = {
    {"line ends, by memchr", count_lines},
    {"the file, by read()", read_file},
    {"strtod over the fields", call_strtod},
    {"dlp_table_parse, from memory", parse_text},
    {"dlp_table_read, from the file", read_table},
};

static void measure(const struct shape *s)
{
    struct text text = {.size = write_table(s)};
    dlp_table *t = NULL;
    dlp_error error = {0};
    check(dlp_table_read(path, NULL, &t, &error) == DLP_OK, error.message);
    compare(t, s);
    dlp_table_free(t);

    FILE *file = fopen(path, "r");
    text.data = malloc(text.size + 1);
    check(file && text.data && fread(text.data, 1, text.size, file) == text.size,
          "cannot read the file");
    text.data[text.size] = '\0';
    fclose(file);
    printf("%td x %td, %d digits, %.1f MB; all values are right\n", s->rows, s->columns,
           s->digits, 1e-6 * (double)text.size);
    for (size_t k = 0; k < sizeof jobs / sizeof jobs[0]; k++) {
        double best = INFINITY;
        for (int r = 0; r < REPEATS; r++) {
            const double start = seconds();
            jobs[k].run(&text, s);
            best = fmin(best, seconds() - start);
        }
        printf("  %-30s %8.1f ms %8.0f MB/s\n", jobs[k].name, 1e3 * best,
               1e-6 * (double)text.size / best);
    }
    free(text.data);
}

int main(int argc, char **argv)
{
    const int fd = mkstemp(path);
    check(fd >= 0 && close(fd) == 0, "cannot make a file");
    if (argc == 4) {
        const struct shape s = {strtol(argv[1], NULL, 10), strtol(argv[2], NULL, 10),
                                (int)strtol(argv[3], NULL, 10)};
        check(s.rows > 0 && s.columns > 0 && s.digits > 0 && s.digits <= 17,
              "expected ROWS COLUMNS DIGITS, all positive, and 17 digits at most");
        measure(&s);
    } else {
        static const struct shape shapes[] = {{100000, 51, 17}, {100000, 51, 8}};
        for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) measure(&shapes[i]);
    }
    return unlink(path) == 0 ? 0 : 4;
}
