/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of categories that were meant to be numbers. One typing slip in a cell makes
   every number of its column a category, and the fit one with hundreds of levels; so do
   decimal commas, separators of thousands, units, and dates. */
#include "comm/division.h"
#include "table/table.h"

#include <math.h>
#include <string.h>

/* The names of categories may be numbers, but only a few of them; fewer still where no
   category has two rows. */
enum { FEW_NUMBERS = 10, FEW_ROWS = 4 };

static enum dlpi_value value_of_level(const char *level)
{
    const struct dlpi_missing none = {.word = NULL, .number = NAN};
    double number = 0;
    return dlpi_value_of(level, strlen(level), &none, &number);
}

dlp_index dlpi_column_first_text(const dlp_table *table, const dlp_column *column)
{
    const dlp_index to = dlpi_rows_to(table->division, table->rows);
    dlp_index first = -1;
    for (dlp_index i = dlpi_rows_from(table->division); i < to; i++) {
        if (column->code[i] < 0) continue;
        if (value_of_level(column->level[column->code[i]]) == DLPI_TEXT) return i;
        if (first < 0) first = i;
    }
    return first;
}

/* How many levels are numbers, up to `most`. */
static dlp_index count_numbers(const dlp_column *column, dlp_index most)
{
    dlp_index numbers = 0;
    for (dlp_index i = 0; i < column->n_levels && numbers < most; i++)
        numbers += value_of_level(column->level[i]) == DLPI_NUMBER;
    return numbers;
}

bool dlpi_column_has_slips(const dlp_table *table, const dlp_column *column)
{
    const dlp_index to = dlpi_rows_to(table->division, table->rows);
    dlp_index values = 0, numbers = 0;
    const dlp_index distinct = count_numbers(column, FEW_NUMBERS);
    if (column->kind != DLP_CATEGORICAL || distinct < FEW_ROWS) return false;
    for (dlp_index i = dlpi_rows_from(table->division); i < to; i++) {
        if (column->code[i] < 0) continue;
        values++;
        numbers += value_of_level(column->level[column->code[i]]) == DLPI_NUMBER;
    }
    values = dlpi_division_count(table->division, values);
    numbers = dlpi_division_count(table->division, numbers);
    if (distinct < FEW_NUMBERS)
        return values == column->n_levels && numbers == values - 1;
    return numbers < values && numbers >= values - values / 10;
}

/* ---- other ways to write numbers ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* How many bytes one of the words begins with, at text; 0: none does. */
static size_t one_of(const char *text, const char *const *words)
{
    for (; *words; words++)
        if (!strncmp(text, *words, strlen(*words))) return strlen(*words);
    return 0;
}

/* Separators of thousands or of decimals, other than a point: the blanks are U+00A0,
   U+2009 and U+202F. */
static const char *const PARTING[] = {",",      " ",      "'",      "\u2019",
                                      "\u00a0", "\u2009", "\u202f", NULL};
static const char *const MINUS[] = {"\u2212", "\u2013", NULL}; /* and a dash */

/* Digits with commas, blanks or apostrophes between them, and points: 1,29, 1.234,5, 1
   000; or after the minus of typesetters. */
static bool has_commas(const char *text)
{
    const size_t minus = one_of(text, MINUS);
    bool parted = minus > 0;
    text += minus > 0 ? minus : *text == '-' || *text == '+';
    if (!is_digit(*text)) return false;
    while (*text) {
        const size_t parts = one_of(text, PARTING), size = parts > 0 ? parts : 1;
        if (parts == 0 && *text != '.' && !is_digit(*text)) return false;
        if (!is_digit(*text) && !is_digit(text[size])) return false;
        parted = parted || parts > 0;
        text += size;
    }
    return parted;
}

static const char *const UNIT[] = {"%", "$", "\u20ac", "\u00a3", "\u00a5", NULL};

/* A number with one of these before or after it: 15 %, $1,200, -3.50€. */
static bool has_unit(const char *text)
{
    char number[32];
    text += *text == '-' || *text == '+';
    const size_t before = one_of(text, UNIT);
    text += before;
    text += *text == ' ';
    const size_t size = strspn(text, "0123456789.,");
    if (size == 0 || size >= sizeof number) return false;
    memcpy(number, text, size);
    number[size] = '\0';
    text += size;
    text += before == 0 && *text == ' ';
    const size_t after = before == 0 ? one_of(text, UNIT) : 0;
    return before + after > 0 && text[after] == '\0' &&
           (value_of_level(number) == DLPI_NUMBER || has_commas(number));
}

/* Three numbers of one to four digits with -, / or . between them, and perhaps a time. */
static bool is_date(const char *text)
{
    int digits = 0, all = 0, groups = 1;
    const char by = text[strspn(text, "0123456789")];
    if (by != '-' && by != '/' && by != '.') return false;
    for (; *text && *text != 'T' && *text != ' '; text++) {
        if (*text == by && digits > 0 && groups < 3) {
            groups++;
            digits = 0;
        } else if (is_digit(*text) && digits < 4) {
            digits++;
            all++;
        } else {
            return false;
        }
    }
    return groups == 3 && digits > 0 && all >= 6;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Whether a word of so many letters is one of the names, or begins with three letters of
   one and goes on in it: Jan, January. */
static bool is_name(const char *word, size_t letters, const char *const *name)
{
    bool found = false;
    for (; *name && !found; name++) {
        found = letters >= 3 && letters <= strlen(*name);
        for (size_t i = 0; i < letters && found; i++)
            found = (word[i] | 32) == (*name)[i];
    }
    return found;
}

/* Numbers of one to four digits beside the name of a month: 3 Apr 2020, 03-Apr-20, Friday,
   April 3, 2020, Apr 2020. */
static bool has_month(const char *text)
{
    static const char *const month[] = {
        "january", "february",  "march",   "april",    "may",      "june", "july",
        "august",  "september", "october", "november", "december", NULL};
    static const char *const day[] = {"monday", "tuesday",  "wednesday", "thursday",
                                      "friday", "saturday", "sunday",    NULL};
    int months = 0, numbers = 0, gaps = 0;
    while (*text) {
        const size_t digits = strspn(text, "0123456789"), gap = strspn(text, " ,.-/:");
        size_t letters = 0;
        while (is_letter(text[letters])) letters++;
        const bool named = is_name(text, letters, month);
        if (digits > 4 || (letters > 0 && !named && !is_name(text, letters, day)))
            return false;
        if (digits + gap + letters == 0) return false;
        months += named;
        numbers += digits > 0;
        gaps += gap > 0;
        text += digits > 0 ? digits : gap > 0 ? gap : letters;
    }
    return months == 1 && numbers > 0 && gaps > 0;
}

/* 2020-04, 2020/04. */
static bool is_year_month(const char *text)
{
    const size_t digits = strspn(text, "0123456789");
    const char *month = text + digits + 1;
    return digits == 4 && (text[4] == '-' || text[4] == '/') && is_digit(month[0]) &&
           is_digit(month[1]) && month[2] == '\0' &&
           10 * (month[0] - '0') + month[1] - '0' <= 12;
}

enum dlpi_notation dlpi_column_notation(const dlp_table *table, const dlp_column *column)
{
    dlpi_division *d = table->division;
    dlp_index values = 0, commas = 0, numbers = 0, dates = 0, units = 0;
    if (column->kind != DLP_CATEGORICAL || column->n_levels < 3) return DLPI_PLAIN;
    for (dlp_index i = dlpi_rows_from(d); i < dlpi_rows_to(d, table->rows); i++) {
        if (column->code[i] < 0) continue;
        const char *level = column->level[column->code[i]];
        values++;
        commas += has_commas(level);
        units += has_unit(level);
        numbers += value_of_level(level) == DLPI_NUMBER;
        dates += is_date(level) || has_month(level) || is_year_month(level);
    }
    values = dlpi_division_count(d, values);
    commas = dlpi_division_count(d, commas);
    numbers = dlpi_division_count(d, numbers);
    dates = dlpi_division_count(d, dates);
    units = dlpi_division_count(d, units);
    const dlp_index most = values - values / 10;
    const bool many = column->n_levels >= FEW_NUMBERS || column->n_levels == values;
    if (dates > 0 && dates >= most && many) return DLPI_DATES;
    if (units > 0 && units + numbers >= most && many) return DLPI_UNITS;
    return commas > 0 && commas + numbers >= most ? DLPI_COMMAS : DLPI_PLAIN;
}
