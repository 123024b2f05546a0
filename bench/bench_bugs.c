/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an instance of a logistic factor costs, in nanoseconds: to build it and find its
 * program, and to run it to orders 0 to 3, beside a kernel written by hand; and what an
 * evaluation of a logistic mixed model costs, with random intercepts integrated out, beside
 * the runs that it needs.
 */
#include "bugs/bugs.h"
#include "density/distribution.h"
#include "density/program.h"

#include <delaplace/random.h>
#include <delaplace/special.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { N = DLPI_BATCH, ROUNDS = 4000, INSTANCES = 200000 };

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* y ~ dbern(p), logit(p) <- a + b1 * x1 + b2 * x2 + u[g] */
static dlpi_expr factor(dlpi_builder *b, const dlpi_distribution *d, double x, double y,
                        dlp_index g)
{
    const dlpi_expr slope1 =
        dlpi_apply2(b, DLPI_OP_MUL, dlpi_cell(b, 1), dlpi_datum(b, x));
    const dlpi_expr slope2 =
        dlpi_apply2(b, DLPI_OP_MUL, dlpi_cell(b, 2), dlpi_datum(b, x + 1));
    dlpi_expr eta = dlpi_apply2(b, DLPI_OP_ADD, dlpi_cell(b, 0), slope1);
    eta = dlpi_apply2(b, DLPI_OP_ADD, eta, slope2);
    eta = dlpi_apply2(b, DLPI_OP_ADD, eta, dlpi_cell(b, 10 + g));
    const dlpi_expr p = dlpi_apply1(b, DLPI_OP_ILOGIT, eta), observed = dlpi_datum(b, y);
    const dlpi_value value = {.n = 1, .at = &observed}, params = {.n = 1, .at = &p};
    return d->log_density(b, &value, &params);
}

static void bench_building(void)
{
    dlpi_builder *b;
    dlpi_program_table *table;
    dlpi_program_draft draft = {0};
    const dlpi_distribution *d = dlpi_distribution_find("dbern");
    int32_t number = 0;
    if (dlpi_builder_alloc(&b, NULL) || dlpi_program_table_alloc(&table, NULL)) exit(1);
    double best = INFINITY;
    for (int round = 0; round < 5; round++) {
        const double start = seconds();
        for (dlp_index i = 0; i < INSTANCES; i++) {
            dlpi_builder_clear(b);
            const dlpi_expr e = factor(b, d, 1e-3 * (double)i, (double)(i & 1), i % 1000);
            if (dlpi_program_make(b, e, &draft, NULL) ||
                dlpi_program_table_find(table, &draft, &number, NULL))
                exit(1);
        }
        best = fmin(best, (seconds() - start) / INSTANCES);
    }
    printf("building: %.0f ns per instance (%d instructions, %d program%s)\n", 1e9 * best,
           draft.program.n, dlpi_program_table_size(table),
           dlpi_program_table_size(table) == 1 ? "" : "s");
    dlpi_program_draft_free(&draft);
    dlpi_program_table_free(table);
    dlpi_builder_free(b);
}

/* y eta - log(1 + e^eta) in one slot, eta */
static void by_hand(const double *eta, const double *y, int order, double *jet)
{
    double p[N];
    dlp_log_logistic_array(N, eta, jet);
    for (int i = 0; i < N; i++) jet[i] += (y[i] - 1) * eta[i];
    if (order == 0) return;
    dlp_logistic_array(N, eta, p);
    for (int i = 0; i < N; i++) {
        jet[N + i] = y[i] - p[i];
        if (order > 1) jet[2 * N + i] = -p[i] * (1 - p[i]);
        if (order > 2) jet[3 * N + i] = -p[i] * (1 - p[i]) * (1 - 2 * p[i]);
    }
}

static double time_run(const dlpi_program *program, const double *const *input, int k,
                       const int *slot, int order, double *jet)
{
    double *room = malloc(dlpi_program_room(program, k, order, slot) * sizeof *room);
    double best = INFINITY;
    for (int round = 0; room && round < 5; round++) {
        const double start = seconds();
        for (int i = 0; i < ROUNDS; i++)
            dlpi_program_run(program, N, input, k, slot, order, jet, room);
        best = fmin(best, (seconds() - start) / ROUNDS / N);
    }
    free(room);
    return 1e9 * best;
}

static double time_hand(const double *eta, const double *y, int order, double *jet)
{
    double best = INFINITY;
    for (int round = 0; round < 5; round++) {
        const double start = seconds();
        for (int i = 0; i < ROUNDS; i++) by_hand(eta, y, order, jet);
        best = fmin(best, (seconds() - start) / ROUNDS / N);
    }
    return 1e9 * best;
}

static double values[8][N], jet[35 * N]; /* 35: a jet of order 3 in four slots */

/* With eta as the one slot, and with its four coefficients as slots. */
static void bench_running(void)
{
    dlpi_builder *b;
    dlpi_program_draft one = {0}, four = {0};
    const dlpi_distribution *d = dlpi_distribution_find("dbern");
    if (dlpi_builder_alloc(&b, NULL)) exit(1);
    const dlpi_expr p = dlpi_apply1(b, DLPI_OP_ILOGIT, dlpi_cell(b, 0)),
                    y = dlpi_datum(b, 1);
    const dlpi_value value = {.n = 1, .at = &y}, params = {.n = 1, .at = &p};
    if (dlpi_program_make(b, d->log_density(b, &value, &params), &one, NULL)) exit(1);
    if (dlpi_program_make(b, factor(b, d, 0.5, 1, 0), &four, NULL)) exit(1);
    const double *input[8];
    int slot1[8], slot4[8];
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < N; j++) values[i][j] = sin(i + 0.37 * j);
        input[i] = values[i];
    }
    for (int i = 0; i < one.program.n_inputs; i++) slot1[i] = one.cell[i] >= 0 ? 0 : -1;
    for (int i = 0; i < four.program.n_inputs; i++)
        slot4[i] = four.cell[i] == 10 ? 3 : (int)four.cell[i];
    printf("order  by hand  one slot  four slots   ns per instance\n");
    for (int order = 0; order <= 3; order++)
        printf("%5d  %7.1f  %8.1f  %10.1f\n", order,
               time_hand(values[0], values[1], order, jet),
               time_run(&one.program, input, 1, slot1, order, jet),
               time_run(&four.program, input, 4, slot4, order, jet));
    dlpi_program_draft_free(&one);
    dlpi_program_draft_free(&four);
    dlpi_builder_free(b);
}

/* ---- an evaluation ---- */

enum { ROWS = 100000, GROUPS = 10000 };

static dlp_bugs *read_mixed(double *g, double *x, double *y)
{
    const double n = ROWS, groups = GROUPS;
    const dlp_index rows = ROWS;
    for (dlp_index i = 0; i < ROWS; i++) {
        dlp_rng group = dlp_rng_at(1, (uint64_t)(i % GROUPS)),
                own = dlp_rng_at(2, (uint64_t)i);
        g[i] = (double)(i % GROUPS + 1);
        x[i] = dlp_draw_normal(&own);
        const double eta = -0.5 + 0.7 * x[i] + dlp_draw_normal(&group);
        y[i] = dlp_draw_uniform(&own) < 1 / (1 + exp(-eta));
    }
    const dlp_bugs_array arrays[] = {{.name = "N", .value = &n},
                                     {.name = "J", .value = &groups},
                                     {.name = "g", .n_dim = 1, .dim = &rows, .value = g},
                                     {.name = "x", .n_dim = 1, .dim = &rows, .value = x},
                                     {.name = "y", .n_dim = 1, .dim = &rows, .value = y}};
    dlp_bugs_input input = dlp_bugs_input_default();
    dlp_bugs *bugs = NULL;
    input.model_text =
        "model { for (i in 1:N) { y[i] ~ dbern(p[i])\n"
        "logit(p[i]) <- b0 + b1 * x[i] + u[g[i]] }\n"
        "for (j in 1:J) { u[j] ~ dnorm(0, tau) }\n"
        "b0 ~ dnorm(0, 0.01)\n b1 ~ dnorm(0, 0.01)\n"
        "sigma ~ dunif(0, 10)\n tau <- pow(sigma, -2) }";
    input.data = arrays;
    input.n_data = 5;
    if (dlp_bugs_read(&input, &bugs, NULL)) exit(1);
    return bugs;
}

static void time_evaluations(dlpi_field *field)
{
    dlpi_work work = {0};
    const double psi = -2.2; /* sigma is about 1 */
    double best = INFINITY;
    if (dlpi_work_alloc(field, &work, NULL)) exit(1);
    dlpi_work_set_psi(&work, &psi, false);
    for (int round = 0; round < 7; round++) {
        const double start = seconds();
        work.x[0] = -0.5 + 0.001 * round; /* as in a search: from modes nearby */
        work.x[1] = 0.7;
        dlpi_work_expand(&work);
        if (round) best = fmin(best, seconds() - start);
    }
    printf("an evaluation: %.0f ns per row, of %d rows in %d leaves\n", 1e9 * best / ROWS,
           (int)ROWS, (int)GROUPS);
    dlpi_work_free(&work);
}

static void bench_evaluation(void)
{
    double *data = calloc(ROWS, 3 * sizeof *data), from = seconds();
    dlpi_lowering lowering = {0};
    dlpi_factors factors = {0};
    dlpi_plan plan = {0};
    dlpi_groups groups = {0};
    dlpi_field field = {0};
    if (!data) exit(1);
    dlp_bugs *bugs = read_mixed(data, data + ROWS, data + 2 * ROWS);
    printf("reading: %.0f ns per row\n", 1e9 * (seconds() - from) / ROWS);
    from = seconds();
    if (dlpi_lowering_make(bugs->graph, NULL, &lowering, NULL) ||
        dlpi_factors_make(&lowering, &factors, NULL) ||
        dlpi_plan_make(&factors, true, &plan, NULL) ||
        dlpi_groups_make(&factors, &plan, &groups, NULL) ||
        dlpi_field_make(&groups, &field, NULL))
        exit(1);
    printf("factors and plan: %.0f ns per row\n", 1e9 * (seconds() - from) / ROWS);
    time_evaluations(&field);
    dlpi_field_clear(&field);
    dlpi_groups_clear(&groups);
    dlpi_plan_clear(&plan);
    dlpi_factors_clear(&factors);
    dlpi_lowering_clear(&lowering);
    dlp_bugs_free(bugs);
    free(data);
}

int main(void)
{
    bench_building();
    bench_running();
    bench_evaluation();
    return 0;
}
