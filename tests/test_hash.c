/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The hash table against names that somebody chose to fall into one place, and the sets
 * that are built on it. What a search costs is counted in slots, not in seconds.
 */
#include "core/name_index.h"
#include "core/string_set.h"
#include "support.h"

enum { NAMES = 100000, SIZE = 16 };

/* The hash that keys.c had, without a key: each word was mixed in by a function that all
   could compute, so that the second word of a name could undo what the first had done. */
static uint64_t old_spread(uint64_t word)
{
    const uint64_t odd = 0x9e3779b97f4a7c15u;
    word = (word ^ word >> 32) * odd;
    word = (word ^ word >> 29) * odd;
    return word ^ word >> 32;
}

static uint64_t old_hash(const char *name)
{
    uint64_t first, second;
    memcpy(&first, name, 8);
    memcpy(&second, name + 8, 8);
    return old_spread(old_spread(SIZE ^ first) ^ second);
}

/* Distinct names without zero bytes whose old hash is one and the same. */
static char (*make_names(void))[SIZE + 1]
{
    char(*name)[SIZE + 1] = calloc(NAMES, sizeof *name);
    assert_non_null(name);
    char number[32];
    for (int i = 0, tried = 0; i < NAMES; tried++) {
        uint64_t first, second;
        snprintf(number, sizeof number, "%08d", tried);
        memcpy(&first, number, 8);
        second = old_spread(SIZE ^ first) ^ 2385;
        memcpy(name[i], &first, 8);
        memcpy(name[i] + 8, &second, 8);
        if (!memchr(name[i], '\0', SIZE)) i++;
    }
    for (int i = 1; i < NAMES; i++) assert_true(old_hash(name[i]) == old_hash(name[0]));
    return name;
}

/* Of a table at most half full, the longest search takes a few dozen slots. */
static const size_t few = 500;

static void chosen_names_do_not_collide(void **state)
{
    (void)state;
    char(*name)[SIZE + 1] = make_names();
    struct dlpi_pool pool = {0};
    struct dlpi_name_index keys = {.pool = &pool};
    struct dlpi_string_set set = {0};
    for (int i = 0; i < NAMES; i++) {
        int32_t code = -1;
        assert_int_equal(dlpi_name_index_add_text(&keys, name[i]), i);
        assert_ok(dlpi_string_set_add(&set, name[i], SIZE, &code, error));
        assert_int_equal(code, i);
    }
    for (int i = 0; i < NAMES; i++) {
        assert_int_equal(dlpi_name_index_find(&keys, name[i], SIZE), i);
        assert_int_equal(dlpi_string_set_find(&set, name[i], SIZE), i);
    }
    assert_int_equal(dlpi_name_index_find(&keys, name[0], SIZE - 1), -1);
    assert_in_range(dlpi_hash_longest_search(&keys.table), 2, few);
    assert_in_range(dlpi_hash_longest_search(&set.table), 2, few);
    dlpi_string_set_clear(&set);
    dlpi_pool_free(&pool);
    free(name);
}

/* Two tables of the same names have keys of their own, and give the same answers. */
static void tables_have_keys_of_their_own(void **state)
{
    (void)state;
    struct dlpi_hash a = {0}, b = {0};
    assert_true(dlpi_hash_reserve(&a, 4));
    assert_true(dlpi_hash_reserve(&b, 4));
    assert_true(a.key[0] != b.key[0] || a.key[1] != b.key[1]);
    int same = 0;
    for (int i = 0; i < 64; i++)
        same += dlpi_hash_of(&a, &i, sizeof i) == dlpi_hash_of(&b, &i, sizeof i);
    assert_int_equal(same, 0);
    dlpi_hash_clear(&a);
    dlpi_hash_clear(&b);
    assert_int_equal(a.slots, 0);
}

/* As Python has it: PYTHONHASHSEED=0 python3 -c
   'for n in (1, 2, 7, 8, 9, 17): print(hex(hash(bytes(range(1, n + 1))) & 0xffffffff))' */
static void the_hash_is_siphash(void **state)
{
    (void)state;
    static const struct {
        size_t size;
        uint32_t hash;
    } expected[] = {{1, 0x1f8540ed}, {2, 0x44bab347}, {7, 0x334196fa},
                    {8, 0xcb0e5fb0}, {9, 0xfe95acb3}, {17, 0x4239b234}};
    const struct dlpi_hash table = {.key = {0, 0}};
    unsigned char bytes[17];
    for (int i = 0; i < 17; i++) bytes[i] = (unsigned char)(i + 1);
    for (int i = 0; i < 6; i++)
        assert_int_equal(dlpi_hash_of(&table, bytes, expected[i].size), expected[i].hash);
}

/* Of bytes of each size, also with zeros in them. */
static void keys_are_any_bytes(void **state)
{
    (void)state;
    static const char bytes[40] = {0, 0, 1};
    struct dlpi_pool pool = {0};
    struct dlpi_name_index keys = {.pool = &pool};
    for (int size = 0; size < 40; size++)
        assert_int_equal(dlpi_name_index_add(&keys, bytes, (size_t)size), size);
    for (int size = 39; size >= 0; size--)
        assert_int_equal(dlpi_name_index_find(&keys, bytes, (size_t)size), size);
    dlpi_name_index_remove(&keys, bytes, 7);
    dlpi_name_index_remove(&keys, bytes, 7);
    assert_int_equal(dlpi_name_index_find(&keys, bytes, 7), -1);
    assert_int_equal(dlpi_name_index_add(&keys, bytes, 7), 40);
    assert_int_equal(dlpi_name_index_find(&keys, bytes, 7), 40);
    assert_true(keys.key[7].removed);
    dlpi_pool_free(&pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chosen_names_do_not_collide),
        cmocka_unit_test(tables_have_keys_of_their_own),
        cmocka_unit_test(the_hash_is_siphash),
        cmocka_unit_test(keys_are_any_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
