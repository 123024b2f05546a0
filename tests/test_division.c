/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows in chunks, whole or divided among processes: the same sums, bit by bit. Alone the program
 * tests one process; `mpirun -n 3 test_division mpi` tests as many as there are.
 */
#include "comm/division.h"
#include "comm/tree.h"
#include "support.h"

enum { TILE = DLPI_ROW_TILE, CHUNK = DLPI_ROW_CHUNK };

/* None, one, fewer than processes, whole chunks and one row more, more chunks than parts. */
static const dlp_index sizes[] = {
    0, 1, 2, TILE, CHUNK, CHUNK + 1, 5 * CHUNK + 77, 260 * CHUNK};
enum { N_SIZES = sizeof sizes / sizeof *sizes, FEW = N_SIZES - 1, WIDTH = 2 };

/* A number of a row, of many magnitudes, so that the order of a sum shows. */
static double number(dlp_index row, dlp_index j)
{
    static const double magnitude[] = {1, 0x1p-20, 0x1p20, -0x1p-7, 0x1p3};
    const uint32_t digits = (uint32_t)row * 2654435761u + (uint32_t)j * 40503u;
    return ((double)digits - 0x1p31) * magnitude[row % 5];
}

/* ---- chunks ---- */

static void chunks_follow_one_another(void **state)
{
    (void)state;
    for (int s = 0; s < N_SIZES; s++) {
        const dlp_index rows = sizes[s], chunks = dlpi_row_chunks(rows);
        dlp_index least = CHUNK, most = 0;
        assert_int_equal(chunks, (rows + CHUNK - 1) / CHUNK);
        assert_int_equal(dlpi_row_chunk_begins(rows, chunks, 0), 0);
        assert_int_equal(dlpi_row_chunk_begins(rows, chunks, chunks), rows);
        for (dlp_index c = 0; c < chunks; c++) {
            const dlp_index first = dlpi_row_chunk_begins(rows, chunks, c),
                            n = dlpi_row_chunk_begins(rows, chunks, c + 1) - first;
            assert_int_equal(first % TILE, 0);
            assert_in_range(n, 1, CHUNK);
            if (n < least && c < chunks - 1) least = n;
            if (n > most) most = n;
        }
        assert_true(chunks < 2 || most - least <= TILE);
    }
}

/* ---- who has what ---- */

static dlpi_division *divide(dlp_index rows, dlpi_comm *comm)
{
    dlpi_division *d = dlpi_division_new(rows, comm);
    assert_non_null(d);
    assert_int_equal(d->rows, rows);
    assert_true(dlpi_is_divided(d) == (comm != NULL));
    return d;
}

static void assert_each_row_has_one_owner(const dlpi_division *d)
{
    const int size = d->comm->size;
    assert_int_equal(dlpi_division_first(d, 0), 0);
    assert_int_equal(dlpi_division_first(d, size), d->rows);
    for (int rank = 0; rank < size; rank++)
        assert_true(dlpi_division_first(d, rank) <= dlpi_division_first(d, rank + 1));
    assert_int_equal(dlpi_rows_from(d), dlpi_division_first(d, d->comm->rank));
    assert_int_equal(dlpi_rows_to(d, -1), dlpi_division_first(d, d->comm->rank + 1));
}

static void each_row_has_one_owner(void **state)
{
    for (int s = 0; s < N_SIZES; s++) {
        dlpi_division *d = divide(sizes[s], *state), *whole = divide(sizes[s], NULL);
        assert_each_row_has_one_owner(d);
        assert_int_equal(whole->from, 0);
        assert_int_equal(whole->to, sizes[s]);
        assert_int_equal(dlpi_division_count(d, d->to - d->from), sizes[s]);
        dlpi_division_free(d);
        dlpi_division_free(whole);
    }
    assert_int_equal(dlpi_rows_from(NULL), 0);
    assert_int_equal(dlpi_rows_to(NULL, 12), 12);
    assert_false(dlpi_is_divided(NULL));
    dlpi_division_free(NULL);
}

/* Whole groups, in order, none twice; a group too many for one process leaves others none. */
static void groups_are_divided_by_their_rows(void **state)
{
    (void)state;
    static const struct {
        dlp_index M, rows[6], begin[5];
    } cases[] = {{6, {5, 5, 5, 5, 5, 5}, {0, 1, 3, 4, 6}},
                 {4, {100, 1, 1, 1}, {0, 0, 0, 0, 4}},
                 {5, {1, 1, 1, 1, 100}, {0, 4, 4, 4, 5}},
                 {2, {3, 3}, {0, 0, 1, 1, 2}},
                 {1, {7}, {0, 0, 0, 0, 1}},
                 {3, {0, 0, 4}, {0, 2, 2, 2, 3}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dlp_index begin[5];
        dlpi_divide_groups(cases[i].M, cases[i].rows, 4, begin);
        assert_memory_equal(begin, cases[i].begin, sizeof begin);
        dlpi_divide_groups(cases[i].M, cases[i].rows, 1, begin);
        assert_int_equal(begin[0], 0);
        assert_int_equal(begin[1], cases[i].M);
    }
}

/* ---- sums ---- */

/* `context` has the rows that may be asked for. */
static void add_numbers(const void *context, dlp_index from, dlp_index to, double *sum)
{
    const dlpi_division *own = context;
    assert_true(from >= own->from && to <= own->to);
    for (dlp_index i = from; i < to; i++)
        for (dlp_index j = 0; j < WIDTH; j++) sum[j] += number(i, j);
}

/* What division.h says: chunks from 0, those of a part in their order, and parts in a tree. */
static double sum_of_part(const dlpi_division *d, dlp_index parts, dlp_index part,
                          dlp_index j)
{
    double sum = 0;
    for (dlp_index c = d->chunks * part / parts; c < d->chunks * (part + 1) / parts;
         c++) {
        double chunk = 0;
        for (dlp_index i = d->begin[c]; i < d->begin[c + 1]; i++) chunk += number(i, j);
        sum += chunk;
    }
    return sum;
}

static double sum_of_parts(const dlpi_division *d, dlp_index parts, dlp_index first,
                           dlp_index span, dlp_index j)
{
    if (span == 1) return sum_of_part(d, parts, first, j);
    return sum_of_parts(d, parts, first, span / 2, j) +
           sum_of_parts(d, parts, first + span / 2, span / 2, j);
}

static void assert_sums(dlpi_division *d)
{
    const dlp_index parts = dlpi_tree_parts(d->chunks);
    double sum[WIDTH];
    dlpi_division_sum(d, d->rows, WIDTH, add_numbers, d, sum);
    assert_ok(dlpi_division_check(d, error));
    for (dlp_index j = 0; j < WIDTH; j++) {
        const double expected = sum_of_parts(d, parts, 0, parts, j);
        assert_memory_equal(&sum[j], &expected, sizeof expected);
    }
}

static void sums_have_one_order(void **state)
{
    for (int s = 0; s < N_SIZES; s++) {
        dlpi_division *d = divide(sizes[s], *state), *whole = divide(sizes[s], NULL);
        assert_sums(d);
        assert_sums(whole);
        dlpi_division_free(d);
        dlpi_division_free(whole);
    }
    /* without a division there is one chunk, and sums of nothing are nothing */
    const dlpi_division all = {.to = 4};
    double sum[WIDTH], expected[WIDTH] = {0};
    dlpi_division_sum(NULL, 4, WIDTH, add_numbers, &all, sum);
    add_numbers(&all, 0, 4, expected);
    assert_memory_equal(sum, expected, sizeof sum);
    dlpi_division_sum(NULL, 4, 0, add_numbers, &all, sum);
}

static dlp_status fail_to_send(dlpi_comm *comm, dlp_index n, void *bytes,
                               dlp_error *error)
{
    (void)comm, (void)n, (void)bytes;
    return dlp_fail(error, DLP_EIO, "the network is down");
}

/* What cannot be summed is no number, and the first failure is kept for whoever asks. */
static void a_failed_sum_is_not_a_number(void **state)
{
    (void)state;
    dlpi_comm alone = dlpi_comm_serial(), broken = alone;
    dlpi_comm_ops ops = *alone.ops;
    ops.broadcast = fail_to_send;
    broken.ops = &ops;
    dlpi_division *d = divide(CHUNK, &broken);
    for (int round = 0; round < 2; round++) {
        double sum[WIDTH] = {0};
        dlpi_division_sum(d, d->rows, WIDTH, add_numbers, d, sum);
        for (int j = 0; j < WIDTH; j++) assert_true(isnan(sum[j]));
        assert_fails(dlpi_division_check(d, error), DLP_EIO, "the network is down");
        ops.broadcast = alone.ops->broadcast;
    }
    assert_ok(dlpi_division_check(NULL, error));
    dlpi_division_free(d);
}

/* ---- items ---- */

/* Chunks of items have as few as make a chunk of rows; the last may have less. */
static void items_are_divided_by_their_rows(void **state)
{
    static const struct {
        dlp_index n, rows[6], chunks, begin[7];
    } cases[] = {{6, {CHUNK, 1, CHUNK, 1, 2, 3}, 3, {0, 1, 3, 6}},
                 {4, {1, 2, 3, 4}, 1, {0, 4}},
                 {3, {9 * CHUNK, 9 * CHUNK, 1}, 3, {0, 1, 2, 3}},
                 {2, {CHUNK - 1, 1}, 1, {0, 2}},
                 {1, {0}, 1, {0, 1}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dlpi_division *d = dlpi_division_of_items(cases[i].n, cases[i].rows, *state);
        assert_non_null(d);
        assert_int_equal(d->rows, cases[i].n);
        assert_int_equal(d->chunks, cases[i].chunks);
        assert_memory_equal(d->begin, cases[i].begin,
                            (size_t)(d->chunks + 1) * sizeof *d->begin);
        assert_each_row_has_one_owner(d);
        const dlp_index idle = d->from == d->to;
        assert_true(dlpi_division_serves_all(d) == (dlpi_division_count(d, idle) == 0));
        assert_sums(d);
        dlpi_division_free(d);
    }
}

/* ---- rows that are dropped ---- */

enum { NONE, SOME, A_CHUNK, ALL, CASES };

static bool is_dropped(int how, dlp_index i)
{
    return how == ALL || (how == SOME && i % 7 == 3) ||
           (how == A_CHUNK && i >= CHUNK && i < 2 * CHUNK);
}

static void what_is_left_keeps_its_chunks(void **state)
{
    for (int s = 0; s < FEW; s++)
        for (int how = 0; how < CASES; how++) {
            dlpi_division *of = divide(sizes[s], *state), *kept = NULL;
            unsigned char *dropped = calloc((size_t)of->rows + 1, 1);
            dlp_index left = 0;
            assert_non_null(dropped);
            /* those of others must not be looked at */
            for (dlp_index i = 0; i < of->rows; i++) {
                const bool own = i >= of->from && i < of->to;
                dropped[i] = !own || is_dropped(how, i);
                left += !is_dropped(how, i);
            }
            assert_ok(dlpi_division_keep(of, dropped, &kept, error));
            assert_int_equal(kept->rows, left);
            assert_int_equal(kept->chunks, of->chunks);
            assert_each_row_has_one_owner(kept);
            dlp_index before = 0;
            for (dlp_index c = 0, i = 0; c <= of->chunks; c++) {
                for (; i < of->begin[c]; i++) before += !is_dropped(how, i);
                assert_int_equal(kept->begin[c], before);
            }
            assert_sums(kept);
            free(dropped);
            dlpi_division_free(kept);
            dlpi_division_free(of);
        }
}

/* ---- questions ---- */

static void questions_are_asked_together(void **state)
{
    dlpi_comm *comm = *state;
    const int last = comm->size - 1;
    dlpi_division *d = divide(5 * CHUNK, comm);
    assert_int_equal(dlpi_division_count(d, comm->rank + 1),
                     comm->size * (comm->size + 1) / 2);
    assert_true(dlpi_division_any(d, comm->rank == last));
    assert_false(dlpi_division_any(d, false));
    assert_true(dlpi_division_most(d, -3.5 - (last - comm->rank)) == -3.5);
    assert_true(dlpi_division_most(d, comm->rank ? -INFINITY : 0x1p-1074) == 0x1p-1074);
    dlp_error why = {0};
    const dlp_status mine =
        comm->rank == last ? dlp_fail(&why, DLP_EINPUT, "row 7") : DLP_OK;
    assert_int_equal(dlpi_division_agree(d, mine, &why), DLP_EINPUT);
    assert_non_null(strstr(why.message, "row 7"));
    assert_int_equal(dlpi_division_agree(NULL, DLP_OK, NULL), DLP_OK);
    assert_false(d->wanted);
    assert_fails(dlpi_division_give_up(d, error), DLP_EINVAL, "all rows in each process");
    assert_true(d->wanted);
    dlpi_division_free(d);
}

/* Rows that others have are NaN here: who looks at them is found out. */
static double *own_values(const dlpi_division *d, double value)
{
    double *x = malloc((size_t)(d->rows + 1) * sizeof *x);
    assert_non_null(x);
    for (dlp_index i = 0; i < d->rows; i++)
        x[i] = i >= d->from && i < d->to ? value : NAN;
    return x;
}

static void a_constant_column_is_found(void **state)
{
    for (int s = 1; s < FEW; s++) {
        dlpi_division *d = divide(sizes[s], *state);
        const dlp_index N = d->rows, places[] = {0, N / 2, N - 1};
        double *x = own_values(d, -2.5), value = 0;
        assert_true(dlpi_division_constant(d, N, x, &value));
        assert_true(value == -2.5);
        for (int k = 0; k < 3; k++) {
            const dlp_index at = places[k];
            const bool own = at >= d->from && at < d->to;
            if (own) x[at] = -2.5 - 0x1p-51;
            assert_true(dlpi_division_constant(d, N, x, &value) == (N == 1));
            if (own) x[at] = -2.5;
        }
        /* constant in each process, but not the same */
        for (dlp_index i = d->from; i < d->to; i++) x[i] = d->comm->rank;
        const bool one = dlpi_division_first(d, 1) == N;
        assert_true(dlpi_division_constant(d, N, x, &value) == one);
        assert_true(!one || value == 0);
        free(x);
        dlpi_division_free(d);
    }
    const double same[] = {4, 4, 4};
    double value;
    assert_true(dlpi_division_constant(NULL, 3, same, &value));
    assert_true(value == 4);
}

int main(int argc, char **argv)
{
    dlpi_comm comm = dlpi_comm_serial();
    dlp_error error = {0};
    if (argc > 1 && !strcmp(argv[1], "mpi") &&
        dlpi_comm_plugin(&comm, &error) != DLP_OK) {
        print_error("%s\n", error.message);
        return 1;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chunks_follow_one_another),
        cmocka_unit_test_prestate(each_row_has_one_owner, &comm),
        cmocka_unit_test(groups_are_divided_by_their_rows),
        cmocka_unit_test_prestate(sums_have_one_order, &comm),
        cmocka_unit_test_prestate(items_are_divided_by_their_rows, &comm),
        cmocka_unit_test(a_failed_sum_is_not_a_number),
        cmocka_unit_test_prestate(what_is_left_keeps_its_chunks, &comm),
        cmocka_unit_test_prestate(questions_are_asked_together, &comm),
        cmocka_unit_test_prestate(a_constant_column_is_found, &comm),
    };
    const int failed = cmocka_run_group_tests_name("division", tests, NULL, NULL);
    comm.ops->free(&comm);
    return failed;
}
