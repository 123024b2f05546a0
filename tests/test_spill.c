/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays in memory or in files that are mapped: the same numbers, whatever pages were given back. */
#include "core/pool.h"
#include "core/spill.h"
#include "support.h"

#include <time.h>

enum { N = 300000 };

static void wait_for_watcher(void)
{
    const struct timespec pause = {.tv_nsec = 30000000};
    (void)nanosleep(&pause, NULL);
}

static void fill_and_check(dlpi_spill *spill)
{
    double *x = dlpi_rows_alloc(spill, N, sizeof *x);
    int32_t *y = dlpi_rows_alloc(spill, N, sizeof *y);
    assert_non_null(x);
    assert_non_null(y);
    assert_int_equal((uintptr_t)x % 64, 0);
    for (int i = 0; i < N; i++) assert_true(x[i] == 0 && y[i] == 0);
    for (int i = 0; i < N; i++) {
        x[i] = 1.0 / (i + 1);
        y[i] = -i;
    }
    wait_for_watcher();
    for (int i = 0; i < N; i++) assert_true(x[i] == 1.0 / (i + 1) && y[i] == -i);
    dlpi_rows_free(x);
    double *z = dlpi_rows_alloc(spill, 1, sizeof *z);
    assert_non_null(z);
    assert_true(*z == 0 && y[N - 1] == 1 - N);
    dlpi_rows_free(z);
    dlpi_rows_free(y);
    dlpi_rows_free(NULL);
}

static void arrays_keep_their_numbers(void **state)
{
    (void)state;
    fill_and_check(NULL);
    dlpi_spill *spill = dlpi_spill_open("/tmp", 1); /* pages go back as soon as can be */
    assert_non_null(spill);
    fill_and_check(spill);
    dlpi_spill_close(spill);
    dlpi_spill_close(NULL);
    assert_null(dlpi_rows_alloc(NULL, -1, 8));
    assert_null(dlpi_rows_alloc(NULL, PTRDIFF_MAX / 4, 8));
}

static void a_pool_has_its_large_pieces_there(void **state)
{
    (void)state;
    struct dlpi_pool pool = {.spill = dlpi_spill_open("/tmp", 1)};
    assert_non_null(pool.spill);
    double *large = dlpi_pool_take(&pool, N, sizeof *large);
    char *small = dlpi_pool_take(&pool, 10, 1);
    assert_non_null(large);
    assert_non_null(small);
    for (int i = 0; i < N; i++) large[i] = i;
    small[9] = 'x';
    wait_for_watcher();
    for (int i = 0; i < N; i++) assert_true(large[i] == i);
    dlpi_spill *spill = pool.spill;
    dlpi_pool_free(&pool);
    dlpi_spill_close(spill);
}

static void a_disk_without_room_is_told_of(void **state)
{
    (void)state;
    dlpi_spill *spill = dlpi_spill_open("/nonexistent", 1e9);
    assert_non_null(spill);
    assert_int_equal(dlpi_spill_explain(spill, DLP_ENOMEM, NULL), DLP_ENOMEM);
    assert_null(dlpi_rows_alloc(spill, N, 8));
    assert_int_equal(dlpi_spill_explain(spill, DLP_EINPUT, NULL), DLP_EINPUT);
    assert_fails(dlpi_spill_explain(spill, DLP_ENOMEM, error), DLP_EIO,
                 "/nonexistent: cannot keep");
    dlpi_spill_close(spill);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_keep_their_numbers),
        cmocka_unit_test(a_pool_has_its_large_pieces_there),
        cmocka_unit_test(a_disk_without_room_is_told_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
