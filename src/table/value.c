/* SPDX-License-Identifier: BSD-3-Clause */
/* What a field of a table holds: a number, nothing, or text. */
#include "io/number.h"
#include "table/table.h"

#include <math.h>
#include <string.h>

/* What R, pandas, C, databases and spreadsheets write where there is no value. */
static const char *const missing_words[] = {"",    "NA",  "NaN",  "nan",  "-nan", "NAN",
                                            "N/A", "n/a", "#N/A", "null", "NULL"};

/* What Python, SAS, Weka and people write there. Each may be a category, too. */
static const char *const marks[] = {"None", "none", "na", ".", "?", "-", "--"};

static bool is_word(const char *field, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(field, word, length) == 0;
}

static bool is_one_of(const char *field, size_t length, const char *const *words,
                      size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (is_word(field, length, words[i])) return true;
    return false;
}

#define IS_ONE_OF(field, length, words)                                                  \
    is_one_of(field, length, words, sizeof(words) / sizeof *(words))

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
    if (missing->word && is_word(field, length, missing->word)) return DLPI_MISSING;
    if (IS_ONE_OF(field, length, missing_words)) return DLPI_MISSING;
    return IS_ONE_OF(field, length, marks) ? DLPI_MARK : DLPI_TEXT;
}
