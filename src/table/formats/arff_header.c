/* SPDX-License-Identifier: BSD-3-Clause */
/* The header of an ARFF file: the names and types of the columns. */
#include "table/formats/arff.h"

static const char shape[] =
    "a header is '@relation NAME', lines '@attribute NAME TYPE', and '@data'";

bool dlpi_looks_like_arff(struct dlpi_scan text)
{
    return dlpi_arff_find_line(&text) && (dlpi_arff_take_keyword(&text, "@relation") ||
                                          dlpi_arff_take_keyword(&text, "@attribute"));
}

/* "{a, b, 'c d'}" */
static dlp_status declare_levels(struct dlpi_arff *a, struct dlpi_string_set *levels,
                                 dlp_error *error)
{
    a->s.at++;
    for (bool more = true; more; a->s.at++) {
        struct dlpi_arff_word w;
        int32_t code = 0;
        DLP_TRY(dlpi_arff_next_word(a, ",}", &w, error));
        dlpi_skip_blanks(&a->s);
        if (!dlpi_arff_at(&a->s, ",}"))
            return dlpi_scan_fail(&a->s, a->s.at, "a comma or } after a level",
                                  "a nominal type is '{level, level, ...}' on one line",
                                  error);
        more = *a->s.at == ',';
        if (w.length > 0 || w.quoted)
            DLP_TRY(dlpi_string_set_add(levels, w.at, w.length, &code, error));
    }
    return DLP_OK;
}

static dlp_status declare_type(struct dlpi_arff *a, struct dlpi_arff_attribute *attribute,
                               dlp_error *error)
{
    static const struct {
        const char *keyword;
        enum dlpi_arff_type type;
    } types[] = {{"numeric", DLPI_ARFF_NUMBERS},
                 {"real", DLPI_ARFF_NUMBERS},
                 {"integer", DLPI_ARFF_NUMBERS},
                 {"string", DLPI_ARFF_STRINGS},
                 {"date", DLPI_ARFF_STRINGS}};
    dlpi_skip_blanks(&a->s);
    if (dlpi_arff_at(&a->s, "{")) {
        attribute->type = DLPI_ARFF_NOMINAL;
        return declare_levels(a, &attribute->levels, error);
    }
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (dlpi_arff_take_keyword(&a->s, types[i].keyword)) {
            attribute->type = types[i].type;
            return DLP_OK;
        }
    return dlpi_scan_fail(&a->s, a->s.at, "a type",
                          "use numeric, real, integer, {level, level, ...}, string or "
                          "date; quote names that have blanks",
                          error);
}

/* What follows the type, the format of a date for one, is of no use here. */
static dlp_status declare_attribute(struct dlpi_arff *a, dlp_index j,
                                    struct dlpi_string_set *names, dlp_error *error)
{
    struct dlpi_arff_word w;
    dlpi_skip_blanks(&a->s);
    const char *const first = a->s.at;
    DLP_TRY(dlpi_arff_next_word(a, " \t{", &w, error));
    if (w.length == 0)
        return dlpi_scan_fail(&a->s, first, "the name of an attribute", shape, error);
    DLP_TRY(dlpi_table_name(a->table, j, names, w.at, w.length, &a->s, error));
    return declare_type(a, &a->attribute[j], error);
}

static dlp_status declare_attributes(struct dlpi_arff *a, struct dlpi_string_set *names,
                                     dlp_error *error)
{
    for (dlp_index j = 0; dlpi_arff_find_line(&a->s); dlpi_skip_line(&a->s)) {
        if (dlpi_arff_take_keyword(&a->s, "@data")) {
            dlpi_skip_line(&a->s);
            return DLP_OK;
        }
        if (dlpi_arff_take_keyword(&a->s, "@attribute"))
            DLP_TRY(declare_attribute(a, j++, names, error));
        else if (!dlpi_arff_take_keyword(&a->s, "@relation"))
            return dlpi_scan_fail(&a->s, a->s.at, "@relation, @attribute or @data", shape,
                                  error);
    }
    return dlp_fail(error, DLP_EINPUT, "%s: ends before '@data'; %s", a->s.name, shape);
}

static dlp_index count_attributes(struct dlpi_scan s)
{
    dlp_index attributes = 0;
    for (; dlpi_arff_find_line(&s) && !dlpi_arff_take_keyword(&s, "@data");
         dlpi_skip_line(&s))
        attributes += dlpi_arff_take_keyword(&s, "@attribute");
    return attributes;
}

dlp_status dlpi_arff_read_header(struct dlpi_arff *a, dlp_error *error)
{
    const dlp_index columns = count_attributes(a->s);
    struct dlpi_string_set names = {0};
    if (columns == 0)
        return dlp_fail(error, DLP_EINPUT, "%s: has no attributes; %s", a->s.name, shape);
    a->attribute = dlpi_calloc(columns, sizeof *a->attribute);
    if (!a->attribute) return dlpi_no_memory(error, "the columns of a table");
    DLP_TRY(dlpi_table_add_columns(a->table, columns, a->s.name, error));
    const dlp_status status = declare_attributes(a, &names, error);
    dlpi_string_set_clear(&names);
    return status;
}
