/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The communicators. Each test asks the same of any of them, whatever its size: alone
 * the program tests the serial one; `mpirun -n 3 test_comm mpi` tests the one over MPI,
 * where MPI's profiling interface lets the calls fail on demand.
 */
#include "comm/comm.h"
#include "support.h"

#include <time.h>

/* Around the borders of one chunk and of several. */
static const dlp_index sizes[] = {0,
                                  1,
                                  DLPI_COMM_CHUNK - 1,
                                  DLPI_COMM_CHUNK,
                                  DLPI_COMM_CHUNK + 1,
                                  5 * DLPI_COMM_CHUNK + 17};
enum { N_SIZES = sizeof sizes / sizeof *sizes, LARGEST = 5 * DLPI_COMM_CHUNK + 17 };

/* What a process adds: of many magnitudes, so that the order of a sum shows. */
static double share(dlp_index rank, dlp_index i)
{
    const double digits = sin(1.7 * (double)i + 2.385 * (double)rank);
    return digits * pow(10, (double)((i + 7 * rank) % 17));
}

static double sum_up(const dlpi_comm *comm, dlp_index i)
{
    double sum = share(0, i);
    for (int rank = 1; rank < comm->size; rank++) sum += share(rank, i);
    return sum;
}

static double sum_down(const dlpi_comm *comm, dlp_index i)
{
    double sum = share(comm->size - 1, i);
    for (int rank = comm->size - 2; rank >= 0; rank--) sum += share(rank, i);
    return sum;
}

/* Lets another process come last in each round. */
static void be_late(const dlpi_comm *comm, int round)
{
    const struct timespec moment = {.tv_nsec = 3000000};
    if (round % comm->size == comm->rank) nanosleep(&moment, NULL);
}

static void sums_are_added_in_rank_order(void **state)
{
    const dlpi_comm *comm = *state;
    static double x[LARGEST], expected[LARGEST];
    dlp_index order_shows = 0;
    for (dlp_index i = 0; i < LARGEST; i++) {
        expected[i] = sum_up(comm, i);
        order_shows += expected[i] != sum_down(comm, i);
    }
    assert_true(comm->size < 3 || order_shows > LARGEST / 10);

    for (int round = 0; round < 2 * N_SIZES; round++) {
        const dlp_index n = sizes[round % N_SIZES];
        for (dlp_index i = 0; i < LARGEST; i++) x[i] = share(comm->rank, i);
        be_late(comm, round);
        assert_ok(comm->ops->sum(comm, n, x, error));
        assert_memory_equal(x, expected, (size_t)n * sizeof *x);
        for (dlp_index i = n; i < LARGEST; i++)
            assert_true(x[i] == share(comm->rank, i)); /* what lies behind is untouched */
    }
}

static void counts_are_exact(void **state)
{
    const dlpi_comm *comm = *state;
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
    const dlpi_comm *comm = *state;
    static unsigned char bytes[LARGEST * sizeof(double)];
    for (int s = 0; s < N_SIZES; s++) {
        const size_t n = (size_t)sizes[s] * sizeof(double) - (sizes[s] > 0);
        for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = letter(comm->rank, i);
        assert_ok(comm->ops->broadcast(comm, (dlp_index)n, bytes, error));
        for (size_t i = 0; i < sizeof bytes; i++)
            assert_int_equal(bytes[i], letter(i < n ? 0 : comm->rank, i));
    }
}

static void all_well_is_agreed(void **state)
{
    const dlpi_comm *comm = *state;
    dlp_error error = {"as before"};
    assert_int_equal(comm->ops->agree(comm, DLP_OK, &error), DLP_OK);
    assert_string_equal(error.message, "as before");
    assert_int_equal(comm->ops->agree(comm, DLP_OK, NULL), DLP_OK);
}

/* Process `failing` has this status, the others OK: all must learn it, and why. */
static void assert_agreed(const dlpi_comm *comm, int failing, dlp_status status)
{
    dlp_error error = {""};
    dlp_status mine = DLP_OK;
    if (comm->rank == failing)
        mine = dlp_fail(&error, status, "line %d is wrong", 40 + failing);
    assert_int_equal(comm->ops->agree(comm, mine, &error), status);

    char why[64];
    snprintf(why, sizeof why, "line %d is wrong", 40 + failing);
    assert_non_null(strstr(error.message, why));
    snprintf(why, sizeof why, "process %d: ", failing);
    assert_true(comm->size == 1 || strstr(error.message, why) == error.message);
}

static void the_failure_of_one_is_that_of_all(void **state)
{
    const dlpi_comm *comm = *state;
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
    const dlpi_comm *comm = *state;
    const bool last = comm->rank == comm->size - 1;
    dlp_error error = {""};
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
    cmocka_unit_test_prestate(sums_are_added_in_rank_order, comm),                       \
        cmocka_unit_test_prestate(counts_are_exact, comm),                               \
        cmocka_unit_test_prestate(bytes_of_the_first_go_to_all, comm),                   \
        cmocka_unit_test_prestate(all_well_is_agreed, comm),                             \
        cmocka_unit_test_prestate(the_failure_of_one_is_that_of_all, comm),              \
        cmocka_unit_test_prestate(the_worst_failure_is_agreed, comm)

static void serial_is_one_process(void **state)
{
    const dlpi_comm *comm = *state;
    assert_int_equal(comm->rank, 0);
    assert_int_equal(comm->size, 1);
}

#ifdef DLPI_HAVE_MPI
#include <mpi.h>

static const char no_mpi_advice[] = "call MPI_Init";

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
    const dlpi_comm *comm = *state;
    char reason[MPI_MAX_ERROR_STRING] = "";
    int length;
    MPI_Error_string(MPI_ERR_OTHER, reason, &length);

    double x = 2.385;
    int64_t count = 3;
    dlpi_comm another;
    fault = true;
    assert_fails(comm->ops->sum(comm, 1, &x, error), DLP_EIO, reason);
    assert_fails(comm->ops->sum_counts(comm, 1, &count, error), DLP_EIO, reason);
    assert_fails(comm->ops->broadcast(comm, sizeof x, &x, error), DLP_EIO, reason);
    assert_fails(comm->ops->agree(comm, DLP_OK, error), DLP_EIO, reason);
    assert_fails(dlpi_comm_mpi_world(&another, error), DLP_EIO, reason);
    another.ops->free(&another);
    fault = false;
    assert_ok(comm->ops->sum(comm, 1, &x, error));
}

/* A real error of MPI: IN_PLACE is no buffer for a broadcast. It returns here, and
   would end a program that asked MPI_COMM_WORLD. */
static void errors_return_to_the_caller(void **state)
{
    const dlpi_comm *comm = *state;
    assert_fails(comm->ops->broadcast(comm, 1, MPI_IN_PLACE, error), DLP_EIO, "MPI_ERR");
}

static int test_mpi(void)
{
    dlpi_comm comm;
    dlp_error error = {""};
    if (dlpi_comm_mpi_world(&comm, &error) != DLP_OK) {
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

static int test_under_mpi(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    const int failed = test_mpi();
    MPI_Finalize();
    dlpi_comm comm;
    return failed + (dlpi_comm_mpi_world(&comm, NULL) != DLP_EINVAL);
}
#else
static const char no_mpi_advice[] = "-DDELAPLACE_MPI=ON";

static int test_under_mpi(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    print_error("test_comm was built without MPI\n");
    return 1;
}
#endif

static void without_mpi_it_says_what_to_do(void **state)
{
    (void)state;
    dlpi_comm comm;
    assert_fails(dlpi_comm_mpi_world(&comm, error), DLP_EINVAL, no_mpi_advice);
    comm.ops->free(&comm);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "mpi") == 0) return test_under_mpi(&argc, &argv);
    dlpi_comm comm = dlpi_comm_serial();
    const struct CMUnitTest tests[] = {
        TESTS_OF_ANY(&comm),
        cmocka_unit_test_prestate(serial_is_one_process, &comm),
        cmocka_unit_test(without_mpi_it_says_what_to_do),
    };
    const int failed = cmocka_run_group_tests_name("serial", tests, NULL, NULL);
    comm.ops->free(&comm);
    return failed;
}
