/* SPDX-License-Identifier: BSD-3-Clause */
/* .npy files: their bytes, there and back, and each error. */
#include "io/npy.h"

#include "scratch_file.h"
#include "support.h"

static const double numbers[] = {
    2.385, -0.0, 5e-324, INFINITY, -1.7976931348623157e308, NAN, 1.0 / 3.0, 0,
    1e-17, -4,   0.1,    17};

static void arrays_come_back(void **state)
{
    (void)state;
    static const dlp_index shapes[][3] = {{1, 12, 0}, {2, 3, 4}, {2, 12, 1}, {2, 1, 12},
                                          {1, 0, 0},  {2, 0, 7}, {2, 7, 0}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        const int dims = (int)shapes[i][0];
        const dlp_index *wanted = shapes[i] + 1;
        dlp_index shape[2] = {-1, -1};
        double *x = NULL;
        assert_ok(dlp_npy_write(path, dims, wanted, numbers, error));
        assert_ok(dlp_npy_read(path, dims, shape, &x, error));
        assert_memory_equal(shape, wanted, (size_t)dims * sizeof *shape);
        const size_t n = (size_t)(wanted[0] * (dims == 2 ? wanted[1] : 1));
        assert_memory_equal(x, numbers, n * sizeof *x);
        free(x);
        assert_ok(
            dlp_npy_read(path, dims, shape, &x, error)); /* now with a known shape */
        free(x);
    }
}

/* Byte for byte what NumPy's description of version 1.0 asks for. */
static void the_bytes_are_as_described(void **state)
{
    (void)state;
    static const double x[] = {1.5, 2.25};
    static const dlp_index shape[] = {1, 2};
    char wanted[128 + sizeof x], got[256];
    const int length =
        snprintf(wanted, sizeof wanted, "%s%c%c%c%c%-117s\n", "\x93NUMPY", 1, 0, 118, 0,
                 "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }");
    assert_int_equal(length, 128);
    memcpy(wanted + 128, x, sizeof x);
    assert_ok(dlp_npy_write(path, 2, shape, x, error));
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    const size_t size = fread(got, 1, sizeof got, f);
    fclose(f);
    assert_int_equal(size, sizeof wanted);
    assert_memory_equal(got, wanted, size);
}

/* A file with that dictionary, and this many bytes of numbers. */
static size_t make(char *bytes, int version, const char *dictionary, size_t numbers_size)
{
    const int length = (int)strlen(dictionary);
    const int first = version == 1 ? 10 : 12; /* where the dictionary begins */
    memset(bytes, 0, 12);
    snprintf(bytes, 8, "\x93NUMPY%c", version);
    bytes[8] = (char)length;
    snprintf(bytes + first, 256, "%s", dictionary);
    memset(bytes + first + length, 0, numbers_size);
    return (size_t)(first + length) + numbers_size;
}

static void other_headers_are_understood(void **state)
{
    (void)state;
    static const char *const dictionaries[] = {
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }        \n",
        "{\"shape\":(2,3),\"descr\":\"<f8\",\"fortran_order\":False}",
        "{ 'shape' : ( 2 , 3 , ) , 'fortran_order' : False , 'descr' : '<f8' , } ",
    };
    for (int version = 1; version <= 3; version++)
        for (size_t i = 0; i < sizeof dictionaries / sizeof dictionaries[0]; i++) {
            char bytes[512];
            dlp_index shape[] = {-1, 3};
            size_t start = 0;
            const size_t size = make(bytes, version, dictionaries[i], 48);
            assert_ok(dlpi_npy_header("x.npy", bytes, size, 2, shape, &start, error));
            assert_int_equal(shape[0], 2);
            assert_int_equal(start, size - 48);
        }
}

static void wrong_headers_are_refused(void **state)
{
    (void)state;
#define SHAPE(tuple) "{'descr': '<f8', 'fortran_order': False, 'shape': " tuple "}"
    static const struct {
        const char *dictionary;
        size_t numbers;
        const char *message;
    } wrong[] = {
        {SHAPE("(2, 3)"), 47, "x.npy: has 47 bytes of numbers, which do not make its"},
        {SHAPE("(2, 3)"), 56, "the file is cut off or damaged"},
        {SHAPE("(3, 2)"), 48, "its shape is (3, 2), expected (any, 3); is it the right"},
        {SHAPE("(6,)"), 48, "its shape is (6), expected (any, 3)"},
        {SHAPE("()"), 8, "its shape is of 0 dimensions"},
        {SHAPE("(1, 2, 3)"), 48, "its shape is of 3 dimensions"},
        {SHAPE("(9223372036854775807, 3)"), 48, "do not make its shape"},
        {SHAPE("(99999999999999999999, 3)"), 48, "do not make its shape"},
        {SHAPE("(6)"), 48, "the header of the .npy file is damaged"},
        {SHAPE("(-2, -3)"), 48, "is damaged"},
        {SHAPE("2, 3"), 48, "is damaged"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}", 24,
         "holds numbers of type '<f4'; expected '<f8', doubles: save it by numpy.save"},
        {"{'descr': '>f8', 'fortran_order': False, 'shape': (2, 3)}", 48, "type '>f8'"},
        {"{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3)}", 48,
         "is stored by columns; expected rows"},
        {"{'descr': '<f8', 'fortran_order': Maybe, 'shape': (2, 3)}", 48, "is damaged"},
        {"{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (2,)}", 16,
         "is damaged"},
        {"{'descr': '<f8', 'shape': (2, 3)}", 48, "is damaged"},
        {"{'descr': '<f8', 'fortran_order': False}", 48, "is damaged"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), 'x': 1}", 48,
         "is damaged"},
        {SHAPE("(2, 3)") "x", 48, "is damaged"},
        {"{'descr': '<f8", 48, "is damaged"},
        {"", 0, "is not a complete .npy file"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char bytes[512];
        dlp_index shape[] = {-1, 3};
        size_t start = 0;
        const size_t size = make(bytes, 1, wrong[i].dictionary, wrong[i].numbers);
        assert_fails(dlpi_npy_header("x.npy", bytes, size, 2, shape, &start, error),
                     DLP_EINPUT, wrong[i].message);
        assert_int_equal(shape[0], -1);
    }
}

static void every_cut_is_noticed(void **state)
{
    (void)state;
    char bytes[512];
    const size_t size = make(bytes, 1, SHAPE("(2, 3)"), 48);
    for (size_t cut = 0; cut < size; cut++) {
        dlp_index shape[] = {-1, -1};
        size_t start = 0;
        assert_int_equal(dlpi_npy_header("x", bytes, cut, 2, shape, &start, NULL),
                         DLP_EINPUT);
    }
    bytes[6] = 4;
    dlp_index shape[] = {-1, -1};
    size_t start = 0;
    assert_fails(dlpi_npy_header("x", bytes, size, 2, shape, &start, error), DLP_EINPUT,
                 "is not a complete .npy file");
}

static void wrong_calls_are_refused(void **state)
{
    (void)state;
    dlp_index shape[] = {2, 3};
    double *x = NULL;
    static const dlp_index negative[] = {2, -3}, huge[] = {PTRDIFF_MAX, 3};
    assert_fails(dlp_npy_write(NULL, 2, shape, numbers, error), DLP_EINVAL,
                 "needs a path");
    assert_fails(dlp_npy_write(path, 3, shape, numbers, error), DLP_EINVAL, "dimensions");
    assert_fails(dlp_npy_write(path, 2, negative, numbers, error), DLP_EINVAL,
                 "dimensions");
    assert_fails(dlp_npy_write(path, 2, huge, numbers, error), DLP_EINVAL, "too large");
    assert_fails(dlp_npy_write(path, 2, shape, NULL, error), DLP_EINVAL, "needs numbers");
    assert_fails(dlp_npy_write("/no/such/x.npy", 2, shape, numbers, error), DLP_EIO,
                 "create its folder");
    assert_fails(dlp_npy_read(path, 0, shape, &x, error), DLP_EINVAL, "dimensions");
    assert_fails(dlp_npy_read("/no/such", 2, shape, &x, error), DLP_EINPUT,
                 "No such file");
    assert_ok(dlp_file_write(path, "", 0, error));
    assert_fails(dlp_npy_read(path, 2, shape, &x, error), DLP_EINPUT,
                 "is not a complete .npy");
    assert_null(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_come_back),
        cmocka_unit_test(the_bytes_are_as_described),
        cmocka_unit_test(other_headers_are_understood),
        cmocka_unit_test(wrong_headers_are_refused),
        cmocka_unit_test(every_cut_is_noticed),
        cmocka_unit_test(wrong_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
