/* SPDX-License-Identifier: BSD-3-Clause */
/* What a field of a table holds: a number, nothing, or text. */
#include "data/number.h"
#include "data/table.h"

#include <math.h>
#include <string.h>

/* What R, pandas, C, databases and spreadsheets write where there is no value. */
static const char *const missing_words[] = {"",    "NA",  "NaN",  "nan",  "-nan",
                                            "NAN", "N/A", "#N/A", "null", "NULL"};

static bool is_word(const char *field, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(field, word, length) == 0;
}

static bool is_missing_word(const char *field, size_t length,
                            const struct dlpi_missing *missing)
{
    for (size_t i = 0; i < sizeof missing_words / sizeof missing_words[0]; i++)
        if (is_word(field, length, missing_words[i])) return true;
    return missing->word && is_word(field, length, missing->word);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* True when the field is a number and nothing else. */
static bool is_number(const char *field, size_t length, double *number)
{
    return length > 0 &&
           dlpi_number_scan(field, field + length, number) == field + length;
}

struct dlpi_missing dlpi_missing_from(const dlp_table_options *options)
{
    struct dlpi_missing missing = {.word = options->missing, .number = NAN};
    double number = 0;
    if (missing.word && is_number(missing.word, strlen(missing.word), &number))
        missing.number = number;
    return missing;
}

enum dlpi_value dlpi_value_of(const char *field, size_t length,
                              const struct dlpi_missing *missing, double *number)
{
    while (length > 0 && is_blank(field[length - 1])) length--;
    while (length > 0 && is_blank(field[0])) field++, length--;
    if (is_number(field, length, number))
        return *number == missing->number ? DLPI_MISSING : DLPI_NUMBER;
    return is_missing_word(field, length, missing) ? DLPI_MISSING : DLPI_TEXT;
}
