/* SPDX-License-Identifier: BSD-3-Clause */
#include "language/data.h"

#include "core/text.h"
#include "io/input.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

bool dlpi_numbers_add(dlpi_numbers_read *numbers, double value, size_t offset)
{
    if (numbers->n >= numbers->room) {
        const dlp_index room = numbers->room ? 2 * numbers->room : 256;
        double *v = realloc(numbers->value, (size_t)room * sizeof *v);
        if (v) numbers->value = v;
        uint32_t *o = realloc(numbers->offset, (size_t)room * sizeof *o);
        if (o) numbers->offset = o;
        if (!v || !o) return false;
        numbers->room = room;
    }
    numbers->value[numbers->n] = value;
    numbers->offset[numbers->n++] = offset < UINT32_MAX ? (uint32_t)offset : UINT32_MAX;
    return true;
}

const dlpi_data_array *dlpi_data_find(const dlpi_data *data, const char *name)
{
    const int32_t number = dlpi_name_number(name);
    const int32_t i = number < data->n_by_name ? data->by_name[number] : 0;
    return i > 0 ? &data->datum[i - 1] : NULL;
}

dlpi_position dlpi_data_place(dlpi_data *data, const dlpi_source *source, size_t offset)
{
    if (data->cursor.source != source || offset < data->cursor.offset) {
        data->cursor.source = source;
        data->cursor.offset = data->cursor.line_start = 0;
        data->cursor.line = 1;
    }
    for (size_t i = data->cursor.offset; i < offset; i++)
        if (source->text[i] == '\n') {
            data->cursor.line++;
            data->cursor.line_start = i + 1;
        }
    data->cursor.offset = offset;
    return (dlpi_position){data->cursor.line,
                           (int32_t)(offset - data->cursor.line_start) + 1, 1};
}

void dlpi_datum_where(const dlpi_data_array *datum, dlp_index i, char *out, size_t size)
{
    if (!datum || !datum->source) {
        snprintf(out, size, "in the data");
        return;
    }
    const char *file = datum->source->name;
    if (datum->offset && i < datum->n && datum->offset[i] < UINT32_MAX) {
        const dlpi_position place = dlpi_source_place(datum->source, datum->offset[i]);
        snprintf(out, size, "%.200s:%d:%d", file, place.line, place.column);
    } else if (datum->first_line > 0) {
        snprintf(out, size, "%.200s:%lld", file, (long long)datum->first_line + i);
    } else {
        snprintf(out, size, "%.200s:%d", file, datum->place.line);
    }
}

static dlpi_data_array *add_datum(dlpi_data *data, const char *name, size_t name_size)
{
    const char *interned = dlpi_name(data->names, name, name_size);
    if (!interned) return NULL;
    if (data->n >= data->room) {
        const int room = data->room ? 2 * data->room : 64;
        dlpi_data_array *more = dlpi_pool_take(data->pool, room, sizeof *more);
        if (!more) return NULL;
        if (data->n > 0) memcpy(more, data->datum, (size_t)data->n * sizeof *more);
        data->datum = more;
        data->room = room;
    }
    dlpi_data_array *d = &data->datum[data->n];
    *d = (dlpi_data_array){.name = interned};
    return d;
}

/* Registers the datum after the last one, if its name is new. */
static bool is_new(dlpi_data *data, const dlpi_data_array *d);

static bool count_datum(dlpi_data *data)
{
    const dlpi_data_array *d = &data->datum[data->n];
    const int32_t number = dlpi_name_number(d->name);
    if (!is_new(data, d)) return true;
    if (number >= data->n_by_name) {
        const int32_t room = 2 * number + 64;
        int32_t *more = dlpi_pool_take(data->pool, room, sizeof *more);
        if (!more) return false;
        if (data->n_by_name > 0)
            memcpy(more, data->by_name, (size_t)data->n_by_name * sizeof *more);
        data->by_name = more;
        data->n_by_name = room;
    }
    data->by_name[number] = ++data->n;
    return true;
}

/* The index in R's order of element i in the other order. */
static void transpose(const dlpi_numbers_read *from, int n_dim, const dlp_index *dim,
                      double *value, uint32_t *offset)
{
    dlp_index index[DLPI_MAX_DIM] = {0}, stride[DLPI_MAX_DIM];
    dlp_index at = 0;
    for (int d = 0; d < n_dim; d++) stride[d] = d > 0 ? stride[d - 1] * dim[d - 1] : 1;
    for (dlp_index i = 0; i < from->n; i++) {
        value[at] = from->value[i];
        offset[at] = from->offset[i];
        for (int d = n_dim - 1; d >= 0; d--) {
            at += stride[d];
            if (++index[d] < dim[d]) break;
            at -= dim[d] * stride[d];
            index[d] = 0;
        }
    }
}

/* Whether the name is new; if not, reports it. */
static bool is_new(dlpi_data *data, const dlpi_data_array *d)
{
    const dlpi_data_array *before = dlpi_data_find(data, d->name);
    char where[256];
    if (!before) return true;
    if (before->source)
        snprintf(where, sizeof where, "%.200s:%d", before->source->name,
                 before->place.line);
    else
        snprintf(where, sizeof where, "the caller's arrays");
    dlpi_report(data->found, true, d->source, d->place,
                d->source ? "'%s' is given twice: here and in %s; remove one"
                          : "'%s' is given twice, also in %s; remove one",
                d->name, where);
    return false;
}

dlp_status dlpi_data_add(dlpi_data *data, const dlpi_source *source, const char *name,
                         size_t name_size, dlpi_position place, int n_dim,
                         const dlp_index *dim, const dlpi_numbers_read *numbers,
                         bool row_major, dlp_error *error)
{
    dlpi_data_array *d = add_datum(data, name, name_size);
    const dlp_index n = numbers->n;
    double *value = dlpi_pool_take(data->pool, n, sizeof *value);
    uint32_t *offset = dlpi_pool_take(data->pool, n, sizeof *offset);
    if (!d || !value || !offset) return dlpi_no_memory_to_read(error, source->name);
    d->source = source;
    d->place = place;
    d->n_dim = n_dim;
    d->n = n;
    d->value = value;
    d->offset = offset;
    for (int i = 0; i < n_dim; i++) d->dim[i] = dim[i];
    if (row_major && n_dim > 1) {
        transpose(numbers, n_dim, dim, value, offset);
    } else if (n > 0) {
        memcpy(value, numbers->value, (size_t)n * sizeof *value);
        memcpy(offset, numbers->offset, (size_t)n * sizeof *offset);
    }
    return count_datum(data) ? DLP_OK : dlpi_no_memory(error, "the data");
}

dlp_status dlpi_data_add_array(dlpi_data *data, const char *name, int n_dim,
                               const dlp_index *dim, const double *value,
                               dlp_error *error)
{
    dlp_index n = 1;
    if (n_dim < 0 || n_dim > DLPI_MAX_DIM)
        return dlp_fail(error, DLP_EINVAL, "array '%s' has %d dimensions; give 0 to %d",
                        dlpi_show(name).text, n_dim, (int)DLPI_MAX_DIM);
    for (int i = 0; i < n_dim; i++)
        if (dim[i] < 0 || __builtin_mul_overflow(n, dim[i], &n))
            return dlp_fail(error, DLP_EINVAL, "array '%s' has an impossible dimension",
                            dlpi_show(name).text);
    dlpi_data_array *d = add_datum(data, name, strlen(name));
    double *copy = dlpi_pool_take(data->pool, n, sizeof *copy);
    if (!d || !copy) return dlpi_no_memory(error, "the data");
    if (n > 0) memcpy(copy, value, (size_t)n * sizeof *copy);
    d->n_dim = n_dim;
    d->n = n;
    d->value = copy;
    for (int i = 0; i < n_dim; i++) d->dim[i] = dim[i];
    return count_datum(data) ? DLP_OK : dlpi_no_memory(error, "the data");
}

/* ---- formats ---- */

static bool ends_with(const char *name, const char *ending)
{
    static const char *const compressed[] = {".gz", ".zst", ".xz", ""};
    size_t n = strlen(name);
    for (int i = 0; i < 4; i++) {
        const size_t c = strlen(compressed[i]);
        if (n < c || strcmp(name + n - c, compressed[i]) != 0) continue;
        n -= c;
        break;
    }
    const size_t e = strlen(ending);
    return n >= e && strncasecmp(name + n - e, ending, e) == 0;
}

static bool begins_with_brace(const dlpi_source *source)
{
    for (size_t i = 0; i < source->size; i++)
        if (!strchr(" \t\r\n\xEF\xBB\xBF", source->text[i]) || !source->text[i])
            return source->text[i] == '{';
    return false;
}

static dlp_status read_source(dlpi_data *data, const dlpi_source *source,
                              dlp_error *error)
{
    if (ends_with(source->name, ".csv") || ends_with(source->name, ".tsv"))
        return dlpi_data_read_csv(data, source, error);
    if (ends_with(source->name, ".json") || begins_with_brace(source))
        return dlpi_data_read_json(data, source, error);
    return dlpi_data_read_dump(data, source, error);
}

dlp_status dlpi_data_parse(dlpi_data *data, const char *name, const char *text,
                           size_t size, dlp_error *error)
{
    dlpi_source *source = dlpi_pool_take(data->pool, 1, sizeof *source);
    char *own_name = dlpi_pool_copy(data->pool, name, strlen(name));
    char *own = dlpi_pool_copy(data->pool, text, size);
    if (!source || !own || !own_name) return dlpi_no_memory_to_read(error, name);
    *source = (dlpi_source){own_name, own, size};
    return read_source(data, source, error);
}

dlp_status dlpi_data_read(dlpi_data *data, const char *path, dlp_error *error)
{
    struct dlpi_bytes bytes = {0};
    DLP_TRY(dlpi_input_read(path, data->progress, &bytes, error));
    const dlp_status status = dlpi_data_parse(
        data, dlpi_input_name(path), bytes.data ? bytes.data : "", bytes.size, error);
    free(bytes.data);
    return status;
}
