/* SPDX-License-Identifier: BSD-3-Clause */
/* json_get FILE KEY...: prints the value at a path of keys and indices; a string as it
   is, the length of an array or object, anything else as JSON. For the tests. */
#include <jansson.h>
#include <stdlib.h>

static const json_t *step_into(const json_t *value, const char *key)
{
    if (json_is_array(value)) return json_array_get(value, strtoul(key, NULL, 10));
    return json_object_get(value, key);
}

static void print_value(const json_t *value)
{
    if (json_is_string(value))
        printf("%s", json_string_value(value));
    else if (json_is_array(value))
        printf("%zu", json_array_size(value));
    else if (json_is_object(value))
        printf("%zu", json_object_size(value));
    else
        json_dumpf(value, stdout, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17));
    putchar('\n');
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    json_error_t error;
    json_t *root = json_load_file(argv[1], JSON_REJECT_DUPLICATES, &error);
    if (!root) {
        fprintf(stderr, "%s:%d:%d: %s\n", argv[1], error.line, error.column, error.text);
        return 1;
    }
    const json_t *value = root;
    for (int i = 2; i < argc && value; i++) value = step_into(value, argv[i]);
    if (value) print_value(value);
    const int code = value ? 0 : 1;
    json_decref(root);
    return code;
}
