/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One table, many labels: a logistic regression for each, by three methods. Usage:
 * bench_glm_labels [TABLE LABELS], where the last LABELS columns of the table are 0 or 1;
 * without, 1500 x 103 random numbers and 14 labels. The best of five.
 */
#include <delaplace/random.h>
#include <delaplace/special.h>

#include "bench_glm_data.h"

enum { ROWS = 1500, COLUMNS = 103, LABELS = 14 };

/* The labels of one table; X begins with a column of ones. */
typedef struct problem {
    bench_data data;
    dlp_index n_labels;
    const double **label; /* (n_labels), each (N) */
    dlp_table *table;     /* NULL: random */
    double *random;       /* (n_labels, N), or the ones */
} problem;

static problem problem_random(void)
{
    problem m = {.data = bench_data_alloc(ROWS, COLUMNS + 1), .n_labels = LABELS};
    m.label = calloc(LABELS, sizeof *m.label);
    m.random = calloc((size_t)LABELS * ROWS, sizeof *m.random);
    if (!m.label || !m.random) exit(4);
    for (dlp_index l = 0; l < LABELS; l++) {
        m.label[l] = m.random + l * ROWS;
        for (dlp_index i = 0; i < ROWS; i++) {
            dlp_rng rng = dlp_rng_at(2 + (uint64_t)l, (uint64_t)i);
            double eta = 0;
            for (dlp_index j = 0; j < m.data.p; j++)
                eta += m.data.x[j][i] * sin(3.0 * (double)(j + l)) * 0.3;
            m.random[l * ROWS + i] = dlp_draw_uniform(&rng) < dlp_logistic(eta);
        }
    }
    return m;
}

static problem problem_read(const char *path, dlp_index labels)
{
    problem m = {.n_labels = labels};
    dlp_error error = {0};
    if (dlp_table_read(path, NULL, &m.table, &error) != DLP_OK ||
        labels >= m.table->columns) {
        fprintf(stderr, "bench_glm_labels: %s: %s\n", path, error.message);
        exit(1);
    }
    const dlp_index p = m.table->columns - labels + 1, N = m.table->rows;
    m.data = (bench_data){.N = N, .p = p, .x = calloc((size_t)p, sizeof *m.data.x)};
    m.label = calloc((size_t)labels, sizeof *m.label);
    m.random = calloc((size_t)N, sizeof *m.random);
    if (!m.data.x || !m.label || !m.random) exit(4);
    for (dlp_index i = 0; i < N; i++) m.random[i] = 1;
    m.data.x[0] = m.random;
    for (dlp_index j = 1; j < p; j++) m.data.x[j] = m.table->column[j - 1].number;
    for (dlp_index l = 0; l < labels; l++) m.label[l] = m.table->column[p - 1 + l].number;
    return m;
}

/* All labels by one method, once. */
static bench_fit fit_labels(const problem *m, const char *method)
{
    bench_fit all = {.outcome = DLP_CONVERGED};
    bench_data data = m->data;
    for (dlp_index l = 0; l < m->n_labels; l++) {
        data.y = (double *)m->label[l];
        const bench_fit fit = bench_fit_once(&data, method);
        all.seconds += fit.seconds;
        all.iterations += fit.iterations;
        all.evaluations += fit.evaluations;
        if (fit.outcome != DLP_CONVERGED) all.outcome = fit.outcome;
    }
    return all;
}

int main(int argc, char **argv)
{
    static const char *const methods[] = {"laplace", "delta", "jaakkola-jordan"};
    if (argc == 2 || (argc > 2 && atol(argv[2]) < 1)) return 2;
    problem m = argc > 2 ? problem_read(argv[1], atol(argv[2])) : problem_random();
    double sum = 0;
    printf("%td rows, %td columns, %td labels\n", m.data.N, m.data.p, m.n_labels);
    for (int k = 0; k < 3; k++) {
        bench_fit best = {.seconds = 1e9};
        for (int run = 0; run < BENCH_RUNS; run++) {
            const bench_fit fit = fit_labels(&m, methods[k]);
            if (fit.seconds < best.seconds) best = fit;
        }
        printf("%-16s %s, %d iterations, %ld evaluations, %.4f s\n", methods[k],
               dlp_outcome_name(best.outcome), best.iterations, best.evaluations,
               best.seconds);
        sum += best.seconds;
    }
    printf("%-16s %.4f s\n", "together", sum);
    free(m.label);
    free(m.random);
    dlp_table_free(m.table);
    bench_data_free(&m.data);
    return 0;
}
