/* SPDX-License-Identifier: BSD-3-Clause */
/* Changes one value of a JSON text, which stays JSON: a number, a string, an element that is
   removed, repeated or moved, or a value that another one takes the place of. */
#ifndef DLP_FUZZ_JSON_H
#define DLP_FUZZ_JSON_H

#include "fuzz_chance.h"

#include <jansson.h>

/* The values of a document, in the order of its text. */
typedef struct fuzz_json_place {
    json_t *parent, *value;
    const char *key; /* or NULL: in a list, */
    size_t index;    /*     here */
} fuzz_json_place;

enum { FUZZ_JSON_MOST = 4096 };

typedef struct fuzz_json_places {
    int n;
    fuzz_json_place of[FUZZ_JSON_MOST];
} fuzz_json_places;

static inline void fuzz_json_list(json_t *in, fuzz_json_places *p)
{
    const char *key;
    json_t *value;
    size_t i;
    json_object_foreach(in, key, value)
    {
        if (p->n < FUZZ_JSON_MOST) p->of[p->n++] = (fuzz_json_place){in, value, key, 0};
        fuzz_json_list(value, p);
    }
    json_array_foreach(in, i, value)
    {
        if (p->n < FUZZ_JSON_MOST) p->of[p->n++] = (fuzz_json_place){in, value, NULL, i};
        fuzz_json_list(value, p);
    }
}

/* Another number; one that was whole stays so. */
static inline json_t *fuzz_json_number(fuzz_text *t, const json_t *was)
{
    static const int whole[] = {0, 1, -1, 2, 3, 7, 1000, INT32_MAX, INT32_MIN};
    if (json_is_real(was)) return json_real(fuzz_real(t, json_real_value(was)));
    return json_integer(fuzz_chance(t, 2)
                            ? FUZZ_ONE_OF(t, whole)
                            : json_integer_value(was) + fuzz_chance(t, 3) - 1);
}

static inline json_t *fuzz_json_other(fuzz_text *t, const fuzz_json_places *p,
                                      const json_t *was)
{
    if (json_is_number(was) && fuzz_chance(t, 8)) return fuzz_json_number(t, was);
    if (json_is_boolean(was) && fuzz_chance(t, 8))
        return json_boolean(json_is_false(was));
    /* what is elsewhere, of the same kind as a rule */
    const int from = fuzz_chance(t, p->n);
    for (int i = 0; i < p->n; i++) {
        const json_t *value = p->of[(from + i) % p->n].value;
        if (value != was &&
            (json_typeof(value) == json_typeof(was) || !fuzz_chance(t, 99)))
            return json_deep_copy(value);
    }
    return json_null();
}

static inline void fuzz_json_change(fuzz_text *t, const fuzz_json_places *p)
{
    const fuzz_json_place *at = &p->of[fuzz_chance(t, p->n)];
    const int change = fuzz_chance(t, 12);
    if (change == 0 && at->key)
        (void)json_object_del(at->parent, at->key);
    else if (change == 0)
        (void)json_array_remove(at->parent, at->index);
    else if (change < 3 && !at->key)
        (void)json_array_insert_new(at->parent, at->index, json_deep_copy(at->value));
    else if (at->key)
        (void)json_object_set_new(at->parent, at->key, fuzz_json_other(t, p, at->value));
    else
        (void)json_array_set_new(at->parent, at->index, fuzz_json_other(t, p, at->value));
}

/* The same text with a change, in place; 0: it is not JSON, or there is no room. */
static inline size_t fuzz_change_json(fuzz_text *t, uint8_t *text, size_t size,
                                      size_t most)
{
    static fuzz_json_places places;
    json_t *root = json_loadb((const char *)text, size, 0, NULL);
    size_t length = 0;
    places.n = 0;
    fuzz_json_list(root, &places);
    if (places.n > 0) {
        fuzz_json_change(t, &places);
        length = json_dumpb(root, (char *)text, most, JSON_COMPACT);
    }
    json_decref(root);
    return length <= most ? length : 0;
}

#endif
