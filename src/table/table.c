/* SPDX-License-Identifier: BSD-3-Clause */
/* The table itself: read from whichever format, searched and freed. */
#include "table/table.h"

#include "comm/comm.h"
#include "comm/division.h"
#include "core/settings.h"
#include "core/spill.h"
#include "io/input.h"
#include "io/mapping.h"
#include "table/formats/encoding.h"

#include <string.h>

static const dlp_table_options defaults = {.format = "auto", .header = 1};

void dlp_table_options_init(dlp_table_options *options, size_t size)
{
    dlpi_settings_give(options, size, &defaults, sizeof defaults);
}

static dlp_table_options take_options(const dlp_table_options *given)
{
    dlp_table_options options = defaults;
    dlpi_settings_merge(&options, sizeof options, given);
    return options;
}

void dlp_table_free(dlp_table *table)
{
    if (!table) return;
    for (dlp_index j = 0; j < table->columns; j++) {
        dlp_column *column = &table->column[j];
        free(column->name);
        if (table->spill) {
            dlpi_rows_free(column->number);
            dlpi_rows_free(column->code);
        } else {
            if (!column->borrowed) free(column->number);
            free(column->code);
        }
        free(column->level);
    }
    dlpi_spill_close(table->spill);
    dlpi_division_free(table->division);
    free(table->column);
    free(table->source);
    free(table);
}

dlp_index dlp_table_find(const dlp_table *table, const char *name)
{
    for (dlp_index j = 0; table && name && j < table->columns; j++)
        if (strcmp(table->column[j].name, name) == 0) return j;
    return -1;
}

/* What a number or a name may begin with cannot separate them, nor can a line end. */
static bool can_separate(char c)
{
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool ascii = c > 0 && c < 0x7f;
    return ascii && !letter && (c < '0' || c > '9') && !strchr(".+-\"#\r\n", c);
}

static dlp_status check_options(const dlp_table_options *options, dlp_error *error)
{
    const char separator = options->separator;
    if (separator && !can_separate(separator))
        return dlp_fail(error, DLP_EINVAL,
                        "the separator (byte %d) may also occur in fields; use a comma, "
                        "a semicolon, a tab or similar",
                        (unsigned char)separator);
    if (options->features < 0 || options->features > INT32_MAX)
        return dlp_fail(error, DLP_EINVAL, "features is %td; expected 0 to %d",
                        options->features, (int)INT32_MAX);
    return DLP_OK;
}

/* A separator that is given says that the values are separated. */
static dlpi_table_reader *reader_by_content(struct dlpi_scan text, char separator)
{
    if (!separator && dlpi_looks_like_arff(text)) return dlpi_table_read_arff;
    if (!separator && dlpi_looks_like_svmlight(text)) return dlpi_table_read_svmlight;
    return dlpi_table_read_csv;
}

/* The reader for the options, which it completes; NULL for an unknown format. */
static dlpi_table_reader *choose_reader(struct dlpi_scan text, dlp_table_options *options)
{
    const char *format = options->format;
    if (!format || strcmp(format, "auto") == 0)
        return reader_by_content(text, options->separator);
    if (strcmp(format, "tsv") == 0) {
        options->separator = '\t';
        return dlpi_table_read_csv;
    }
    if (strcmp(format, "csv") == 0) return dlpi_table_read_csv;
    if (strcmp(format, "arff") == 0) return dlpi_table_read_arff;
    if (strcmp(format, "svmlight") == 0) return dlpi_table_read_svmlight;
    return NULL;
}

/* Otherwise, who gives a fit instead of its data would read that separators are
   missing. */
static dlp_status refuse_json(struct dlpi_scan text, dlp_error *error)
{
    dlpi_skip_blanks(&text);
    if (text.at == text.end || *text.at != '{') return DLP_OK;
    return dlp_fail(error, DLP_EINPUT,
                    "%s: is JSON; expected a table: CSV, TSV, ARFF or svmlight",
                    text.name);
}

static dlp_status parse_utf8(struct dlpi_scan s, dlp_table_options *chosen,
                             dlp_table **table, dlp_error *error)
{
    dlpi_table_reader *const reader = choose_reader(s, chosen);
    if (!reader)
        return dlp_fail(error, DLP_EINVAL,
                        "unknown format '%s'; use auto, csv, tsv, arff or svmlight",
                        chosen->format);
    dlp_table *t = dlpi_calloc(1, sizeof *t);
    if (!t) return dlpi_no_memory(error, "a table");
    dlp_status status = reader(s, chosen, t, error);
    if (status == DLP_OK) status = dlpi_progress_end(s.progress, error);
    if (status == DLP_OK && !(t->source = strdup(s.name)))
        status = dlpi_no_memory(error, "a table");
    if (status == DLP_OK)
        *table = t;
    else
        dlp_table_free(t);
    return status;
}

static dlp_status parse(struct dlpi_scan s, const dlp_table_options *options,
                        dlp_table **table, dlp_error *error)
{
    DLP_TRY(dlpi_settings_check(options, error));
    dlp_table_options chosen = take_options(options);
    DLP_TRY(check_options(&chosen, error));
    if (!chosen.format || !strcmp(chosen.format, "auto")) DLP_TRY(refuse_json(s, error));
    char *made;
    DLP_TRY(dlpi_encoding_to_utf8(chosen.encoding, &s, &made, error));
    const dlp_status status = parse_utf8(s, &chosen, table, error);
    free(made);
    return status;
}

static struct dlpi_progress *progress_for(const dlp_table_options *options,
                                          struct dlpi_progress *progress)
{
    const dlp_table_options chosen = take_options(options);
    return dlpi_progress_for(chosen.progress, chosen.context, "reading", progress);
}

dlp_status dlp_table_parse(const char *name, const char *text, size_t size,
                           const dlp_table_options *options, dlp_table **table,
                           dlp_error *error)
{
    struct dlpi_progress progress;
    if (table) *table = NULL;
    if (!table || !name || (!text && size > 0))
        return dlp_fail(error, DLP_EINVAL, "a parser needs a name, text and a table");
    struct dlpi_scan s = dlpi_scan_start(name, text ? text : "", size);
    s.progress = progress_for(options, &progress);
    return parse(s, options, table, error);
}

static dlp_status read_mapped(const char *path, const struct dlpi_mapping *mapping,
                              const dlp_table_options *options, dlp_table **table,
                              dlp_error *error)
{
    struct dlpi_progress progress;
    struct dlpi_bytes bytes = {.data = mapping->data, .size = mapping->size};
    /* not compressed, or by other compressors */
    DLP_TRY(dlpi_decompress(path, &bytes, 0, NULL, error));
    struct dlpi_scan s = dlpi_scan_start(path, mapping->data, mapping->size);
    s.mapped = true;
    s.progress = progress_for(options, &progress);
    return parse(s, options, table, error);
}

static dlp_status read_whole(const char *path, const dlp_table_options *options,
                             dlp_table **table, dlp_error *error)
{
    struct dlpi_bytes bytes;
    struct dlpi_progress progress, *const p = progress_for(options, &progress);
    DLP_TRY(dlpi_input_read(path, p, &bytes, error));
    struct dlpi_scan s = dlpi_scan_start(dlpi_input_name(path), bytes.data, bytes.size);
    s.progress = p;
    const dlp_status status = parse(s, options, table, error);
    free(bytes.data);
    return status;
}

/* Whether all processes that read it together have it mapped. */
static dlp_status agree_on_mapping(const dlp_table_options *options, bool mapped,
                                   dlp_table_options *agreed, dlp_error *error)
{
    *agreed = take_options(options);
    if (!agreed->processes) return DLP_OK;
    dlpi_comm *comm = dlpi_processes_comm(agreed->processes);
    int64_t all = mapped;
    DLP_TRY(comm->ops->sum_counts(comm, 1, &all, error));
    if (all < comm->size) agreed->processes = NULL;
    return DLP_OK;
}

dlp_status dlp_table_read(const char *path, const dlp_table_options *options,
                          dlp_table **table, dlp_error *error)
{
    struct dlpi_mapping mapping;
    if (table) *table = NULL;
    if (!table || !path)
        return dlp_fail(error, DLP_EINVAL, "a reader needs a path and a table");
    DLP_TRY(dlpi_settings_check(options, error));
    const bool mapped = dlpi_mapping_open(path, &mapping);
    dlp_table_options agreed;
    dlp_status status = agree_on_mapping(options, mapped, &agreed, error);
    if (!mapped)
        return status == DLP_OK ? read_whole(path, &agreed, table, error) : status;
    if (status == DLP_OK) status = read_mapped(path, &mapping, &agreed, table, error);
    /* what made no sense may be half of a new file */
    if (status == DLP_OK || status == DLP_EINPUT) {
        const dlp_status changed = dlpi_mapping_check(&mapping, error);
        if (changed) status = changed;
    }
    dlpi_mapping_close(&mapping);
    if (status == DLP_OK) return DLP_OK;
    dlp_table_free(*table);
    *table = NULL;
    return status;
}
