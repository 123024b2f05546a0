/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The communicators, and sums over parts in one order. Each test checks the same for any
 * of them, whatever its size: alone the program tests the serial one; `mpirun -n 3
 * test_comm mpi` tests the plug-in, where MPI's profiling interface lets the calls fail
 * on demand.
 */
#include "comm/tree.h"
#include "support.h"

#include <delaplace/processes.h>

#include <time.h>

enum { PIECE = 1 << 16 }; /* of comm/tree.c */
static const dlp_index sizes[] = {0, 1, 4095, PIECE, PIECE + 17};
enum { N_SIZES = sizeof sizes / sizeof *sizes, LARGEST = PIECE + 17 };

/* What a part adds: of many magnitudes, so that the order of a sum shows. */
static double share(dlp_index part, dlp_index i)
{
    const double digits = sin(1.7 * (double)i + 2.385 * (double)part);
    return digits * pow(10, (double)((i + 7 * part) % 17));
}

/* Lets another process come last in each round. */
static void be_late(const dlpi_comm *comm, int round)
{
    const struct timespec moment = {.tv_nsec = 3000000};
    if (round % comm->size == comm->rank) nanosleep(&moment, NULL);
}

/* ---- the tree ---- */

static void add_parts(dlpi_tree *tree, dlp_index n)
{
    dlpi_tree_begin(tree);
    for (dlp_index part = tree->from; part < tree->to; part++) {
        double *sum = dlpi_tree_open(tree);
        for (dlp_index i = 0; i < n; i++) sum[i] = share(part, i);
        dlpi_tree_close(tree);
    }
    assert_ok(dlpi_tree_collect(tree, error));
}

/* The sum over parts first..first+span-1, as the tree is defined. */
static double sum_of(dlp_index first, dlp_index span, dlp_index i)
{
    if (span == 1) return share(first, i);
    return sum_of(first, span / 2, i) + sum_of(first + span / 2, span / 2, i);
}

static double sum_up(dlp_index parts, dlp_index i)
{
    double sum = 0;
    for (dlp_index part = 0; part < parts; part++) sum += share(part, i);
    return sum;
}

static void sums_have_one_order(void **state)
{
    dlpi_comm *comm = *state;
    for (dlp_index parts = 1; parts <= 64; parts *= 2) {
        const dlp_index n = parts == 8 ? LARGEST : 100;
        dlpi_tree tree;
        dlp_index order_shows = 0;
        assert_ok(dlpi_tree_alloc(&tree, comm, parts, n, 1, error));
        for (int round = 0; round < 2; round++) {
            be_late(comm, (int)parts + round);
            add_parts(&tree, n);
            for (dlp_index i = 0; comm->rank == 0 && i < n; i++) {
                const double expected = sum_of(0, parts, i);
                assert_memory_equal(&tree.slot[0][i], &expected, sizeof expected);
                order_shows += expected != sum_up(parts, i);
            }
        }
        assert_true(parts < 4 || comm->rank > 0 || order_shows > n / 10);
        dlpi_tree_end(&tree); /* the sum stays */
        const double expected = sum_of(0, parts, n - 1);
        if (comm->rank == 0)
            assert_memory_equal(&tree.slot[0][n - 1], &expected, sizeof expected);
        dlpi_tree_free(&tree);
    }
}

/* Each part has one process, process 0 has the first, and there is room for what it adds up. */
static void parts_are_divided(void **state)
{
    (void)state;
    assert_int_equal(dlpi_tree_parts(0), 1);
    assert_int_equal(dlpi_tree_parts(7), 4);
    assert_int_equal(dlpi_tree_parts(1000000), 256);
    for (int size = 1; size < 20; size++) {
        assert_int_equal(dlpi_tree_begins(16, 0, size), 0);
        assert_true(dlpi_tree_begins(16, 1, size) > 0);
        assert_int_equal(dlpi_tree_begins(16, size, size), 16);
        for (int rank = 0; rank < size; rank++)
            assert_true(dlpi_tree_begins(16, rank, size) <=
                        dlpi_tree_begins(16, rank + 1, size));
    }
    for (dlp_index from = 0; from < 256; from++)
        assert_in_range(dlpi_tree_room(from, 256), 1, 2 * DLPI_TREE_LEVELS + 2);
    assert_int_equal(dlpi_tree_room(0, 64), 7);
}

/* ---- the communicators ---- */

static void bytes_go_around(void **state)
{
    dlpi_comm *comm = *state;
    static double x[LARGEST], y[LARGEST];
    const int next = (comm->rank + 1) % comm->size,
              before = (comm->rank + comm->size - 1) % comm->size;
    if (comm->size == 1) {
        assert_fails(comm->ops->send(comm, 1, 8, x, error), DLP_EINVAL, "no process 1");
        assert_fails(comm->ops->receive(comm, 1, 8, y, error), DLP_EINVAL, "no process");
        assert_fails(comm->ops->swap(comm, 1, 8, x, 1, 8, y, error), DLP_EINVAL,
                     "no process");
        return;
    }
    for (int s = 0; s < N_SIZES; s++) {
        const dlp_index n = sizes[s] * (dlp_index)sizeof *x;
        for (dlp_index i = 0; i < LARGEST; i++) x[i] = share(comm->rank, i);
        if (comm->rank == 0) assert_ok(comm->ops->send(comm, next, n, x, error));
        assert_ok(comm->ops->receive(comm, before, n, y, error));
        if (comm->rank > 0) assert_ok(comm->ops->send(comm, next, n, x, error));
        for (dlp_index i = 0; i < sizes[s]; i++) assert_true(y[i] == share(before, i));
    }
}

/* Each gives to the next and takes from the one before, at once; as many as the giver's rank says. */
static void bytes_are_swapped(void **state)
{
    dlpi_comm *comm = *state;
    static double x[LARGEST], y[LARGEST];
    const int next = (comm->rank + 1) % comm->size,
              before = (comm->rank + comm->size - 1) % comm->size;
    for (int s = 0; comm->size > 1 && s < N_SIZES; s++) {
        const dlp_index n = sizes[(s + comm->rank) % N_SIZES],
                        m = sizes[(s + before) % N_SIZES];
        const int64_t received = comm->received;
        for (dlp_index i = 0; i < LARGEST; i++) x[i] = share(comm->rank, i), y[i] = -1;
        be_late(comm, s);
        assert_ok(comm->ops->swap(comm, next, n * (dlp_index)sizeof *x, x, before,
                                  m * (dlp_index)sizeof *y, y, error));
        for (dlp_index i = 0; i < LARGEST; i++)
            assert_true(y[i] == (i < m ? share(before, i) : -1));
        assert_int_equal(comm->received - received, m * (dlp_index)sizeof *y);
    }
}

static void counts_are_exact(void **state)
{
    dlpi_comm *comm = *state;
    static int64_t x[LARGEST];
    const int64_t large = INT64_C(1) << 55; /* no double holds large + 1 */
    for (int s = 0; s < N_SIZES; s++) {
        for (dlp_index i = 0; i < LARGEST; i++) x[i] = large + i * (comm->rank + 1);
        assert_ok(comm->ops->sum_counts(comm, sizes[s], x, error));
        const int64_t ranks = (int64_t)comm->size * (comm->size + 1) / 2;
        for (dlp_index i = 0; i < sizes[s]; i++)
            assert_true(x[i] == comm->size * large + i * ranks);
        for (dlp_index i = sizes[s]; i < LARGEST; i++)
            assert_true(x[i] == large + i * (comm->rank + 1));
    }
}

static unsigned char letter(int rank, size_t i)
{
    return (unsigned char)(i % 251 + 3 * (size_t)rank);
}

static void bytes_of_the_first_go_to_all(void **state)
{
    dlpi_comm *comm = *state;
    static unsigned char bytes[LARGEST * sizeof(double)];
    for (int s = 0; s < N_SIZES; s++) {
        const size_t n = (size_t)sizes[s] * sizeof(double) - (sizes[s] > 0);
        for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = letter(comm->rank, i);
        assert_ok(comm->ops->broadcast(comm, (dlp_index)n, bytes, error));
        for (size_t i = 0; i < sizeof bytes; i++)
            assert_int_equal(bytes[i], letter(i < n ? 0 : comm->rank, i));
    }
}

static void bytes_of_any_go_to_all(void **state)
{
    dlpi_comm *comm = *state;
    static unsigned char bytes[LARGEST * sizeof(double)];
    for (int from = 0; from < comm->size; from++)
        for (int s = 0; s < N_SIZES; s++) {
            const size_t n = (size_t)sizes[s] * sizeof(double) - (sizes[s] > 0);
            for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = letter(comm->rank, i);
            be_late(comm, s);
            assert_ok(comm->ops->share(comm, from, (dlp_index)n, bytes, error));
            for (size_t i = 0; i < sizeof bytes; i++)
                if (bytes[i] != letter(i < n ? from : comm->rank, i))
                    fail_msg("byte %zu of process %d", i, from);
        }
}

static void all_well_is_agreed(void **state)
{
    dlpi_comm *comm = *state;
    dlp_error error = {.message = "as before"};
    assert_int_equal(comm->ops->agree(comm, DLP_OK, &error), DLP_OK);
    assert_string_equal(error.message, "as before");
    assert_int_equal(comm->ops->agree(comm, DLP_OK, NULL), DLP_OK);
}

/* Process `failing` has this status, the others OK: all must learn it, and why. */
static void assert_agreed(dlpi_comm *comm, int failing, dlp_status status)
{
    dlp_error error = {0};
    dlp_status mine = DLP_OK;
    if (comm->rank == failing)
        mine = dlp_fail(&error, status, "line %d is wrong", 40 + failing);
    assert_int_equal(comm->ops->agree(comm, mine, &error), status);

    char why[64];
    snprintf(why, sizeof why, "line %d is wrong", 40 + failing);
    assert_non_null(strstr(error.message, why));
    snprintf(why, sizeof why, "process %d: ", failing);
    assert_true(failing == 0 || strstr(error.message, why) == error.message);
}

static void the_failure_of_one_is_that_of_all(void **state)
{
    dlpi_comm *comm = *state;
    for (int failing = 0; failing < comm->size; failing++) {
        assert_agreed(comm, failing, DLP_EINVAL);
        assert_agreed(comm, failing, DLP_EIO);
        /* Without room for a message, too. */
        const dlp_status mine = comm->rank == failing ? DLP_EINPUT : DLP_OK;
        assert_int_equal(comm->ops->agree(comm, mine, NULL), DLP_EINPUT);
    }
}

static void the_worst_failure_is_agreed(void **state)
{
    dlpi_comm *comm = *state;
    const bool last = comm->rank == comm->size - 1;
    dlp_error error = {0};
    dlp_status mine =
        dlp_fail(&error, last ? DLP_ENOMEM : DLP_EINVAL, "from %d", comm->rank);
    char worst[32];
    snprintf(worst, sizeof worst, "from %d", comm->size - 1);
    assert_int_equal(comm->ops->agree(comm, mine, &error), DLP_ENOMEM);
    assert_non_null(strstr(error.message, worst));

    /* Among equals the lowest rank speaks, so that the message is always the same. */
    mine = dlp_fail(&error, DLP_EINPUT, "from %d", comm->rank);
    assert_int_equal(comm->ops->agree(comm, mine, &error), DLP_EINPUT);
    assert_non_null(strstr(error.message, "from 0"));
}

#define TESTS_OF_ANY(comm)                                                               \
    cmocka_unit_test_prestate(sums_have_one_order, comm),                                \
        cmocka_unit_test_prestate(bytes_go_around, comm),                                \
        cmocka_unit_test_prestate(bytes_are_swapped, comm),                              \
        cmocka_unit_test_prestate(counts_are_exact, comm),                               \
        cmocka_unit_test_prestate(bytes_of_the_first_go_to_all, comm),                   \
        cmocka_unit_test_prestate(bytes_of_any_go_to_all, comm),                         \
        cmocka_unit_test_prestate(all_well_is_agreed, comm),                             \
        cmocka_unit_test_prestate(the_failure_of_one_is_that_of_all, comm),              \
        cmocka_unit_test_prestate(the_worst_failure_is_agreed, comm)

static void serial_is_one_process(void **state)
{
    dlpi_comm *comm = *state;
    assert_int_equal(comm->rank, 0);
    assert_int_equal(comm->size, 1);
}

#ifdef DLPI_HAVE_MPI
#include <mpi.h>

/* ---- MPI's calls, which fail on demand ---- */

static bool fault;

int MPI_Send(const void *data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    return fault ? MPI_ERR_OTHER : PMPI_Send(data, n, type, to, tag, comm);
}

int MPI_Recv(void *data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status *status)
{
    return fault ? MPI_ERR_OTHER : PMPI_Recv(data, n, type, from, tag, comm, status);
}

int MPI_Bcast(void *data, int n, MPI_Datatype type, int root, MPI_Comm comm)
{
    return fault ? MPI_ERR_OTHER : PMPI_Bcast(data, n, type, root, comm);
}

int MPI_Allreduce(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm)
{
    return fault ? MPI_ERR_OTHER : PMPI_Allreduce(from, to, n, type, op, comm);
}

int MPI_Sendrecv(const void *out, int n, MPI_Datatype type, int to, int tag, void *in,
                 int m, MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm,
                 MPI_Status *status)
{
    return fault ? MPI_ERR_OTHER
                 : PMPI_Sendrecv(out, n, type, to, tag, in, m, in_type, from, in_tag,
                                 comm, status);
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *copy)
{
    return fault ? MPI_ERR_OTHER : PMPI_Comm_dup(comm, copy);
}

static int heal(void **state)
{
    (void)state;
    fault = false;
    return 0;
}

static void failures_of_mpi_are_told(void **state)
{
    dlpi_comm *comm = *state;
    char reason[MPI_MAX_ERROR_STRING] = "";
    int length;
    MPI_Error_string(MPI_ERR_OTHER, reason, &length);

    double x = 2.385;
    int64_t count = 3;
    dlpi_comm another;
    fault = true;
    assert_fails(comm->ops->send(comm, 0, sizeof x, &x, error), DLP_EIO, reason);
    assert_fails(comm->ops->receive(comm, 0, sizeof x, &x, error), DLP_EIO, reason);
    double y = 0;
    assert_fails(comm->ops->swap(comm, 0, sizeof x, &x, 0, sizeof y, &y, error), DLP_EIO,
                 reason);
    assert_fails(comm->ops->sum_counts(comm, 1, &count, error), DLP_EIO, reason);
    assert_fails(comm->ops->broadcast(comm, sizeof x, &x, error), DLP_EIO, reason);
    assert_fails(comm->ops->agree(comm, DLP_OK, error), DLP_EIO, reason);
    assert_fails(dlpi_comm_plugin(&another, error), DLP_EIO, reason);
    another.ops->free(&another);
    fault = false;
    assert_ok(comm->ops->sum_counts(comm, 1, &count, error));
}

/* A real error of MPI: IN_PLACE is no buffer for a broadcast. It returns here, and
   would end a program that asked MPI_COMM_WORLD. */
static void errors_return_to_the_caller(void **state)
{
    dlpi_comm *comm = *state;
    assert_fails(comm->ops->broadcast(comm, 1, MPI_IN_PLACE, error), DLP_EIO, "MPI_ERR");
}

static int test_mpi(void)
{
    dlpi_comm comm;
    dlp_error error = {0};
    if (dlpi_comm_plugin(&comm, &error) != DLP_OK) {
        print_error("%s\n", error.message);
        return 1;
    }
    const struct CMUnitTest tests[] = {
        TESTS_OF_ANY(&comm),
        {"failures_of_mpi_are_told", failures_of_mpi_are_told, NULL, heal, &comm},
        cmocka_unit_test_prestate(errors_return_to_the_caller, &comm),
    };
    const int failed = cmocka_run_group_tests_name("MPI", tests, NULL, NULL);
    comm.ops->free(&comm);
    return failed;
}

/* The program starts MPI, or leaves that to the plug-in, which ends it then. */
static int test_under_mpi(int argc, char **argv)
{
    const bool ours = argc > 2;
    if (ours) MPI_Init(&argc, &argv);
    const int failed = test_mpi();
    int ended;
    MPI_Finalized(&ended);
    if (!!ended == ours) print_error("MPI was ended by the wrong one\n");
    if (ours) MPI_Finalize();
    dlpi_comm comm;
    return failed + (!!ended == ours) + (dlpi_comm_plugin(&comm, NULL) != DLP_EINVAL);
}
#else
static int test_under_mpi(int argc, char **argv)
{
    (void)argc, (void)argv;
    print_error("test_comm was built without MPI\n");
    return 77;
}
#endif

static void the_environment_tells_how_many(void **state)
{
    (void)state;
    static const struct {
        const char *name, *value;
        int size, rank;
    } cases[] = {{"OMPI_COMM_WORLD_SIZE", "4", 4, 0},
                 {"PMI_SIZE", "3", 3, 0},
                 {"PMIX_RANK", "2", 0, 2},
                 {"PMI_RANK", "many", 1, 0}};
    int rank;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setenv(cases[i].name, cases[i].value, 1);
        assert_int_equal(dlp_processes_announced(&rank), cases[i].size);
        assert_int_equal(rank, cases[i].rank);
        unsetenv(cases[i].name);
    }
    assert_int_equal(dlp_processes_announced(&rank), 1);
}

static void one_process_agrees_with_itself(void **state)
{
    (void)state;
    dlp_processes *alone;
    dlp_error why = {.message = "why"};
    int64_t bytes;
    int value = 7;
    assert_ok(dlp_processes_open(&alone, error));
    assert_int_equal(dlp_processes_rank(alone), 0);
    assert_int_equal(dlp_processes_size(alone), 1);
    assert_true(dlp_processes_threads(alone) >= 1);
    assert_int_equal(dlp_processes_agree(alone, DLP_EIO, &why), DLP_EIO);
    assert_true(dlp_processes_agreed(alone));
    assert_ok(dlp_processes_tell(alone, &value, error));
    assert_ok(dlp_processes_traffic(alone, &bytes, error));
    assert_int_equal(value, 7);
    assert_true(bytes == 0);
    dlp_processes_close(alone);
    dlp_processes_close(NULL);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "mpi") == 0) return test_under_mpi(argc, argv);
    dlpi_comm comm = dlpi_comm_serial();
    const struct CMUnitTest tests[] = {
        TESTS_OF_ANY(&comm),
        cmocka_unit_test_prestate(serial_is_one_process, &comm),
        cmocka_unit_test(parts_are_divided),
        cmocka_unit_test(the_environment_tells_how_many),
        cmocka_unit_test(one_process_agrees_with_itself),
    };
    const int failed = cmocka_run_group_tests_name("serial", tests, NULL, NULL);
    comm.ops->free(&comm);
    return failed;
}
