/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Usage: large_table ROWS >table.csv
 *
 * A table of a logistic regression, of any size: y, and five numbers of 15 digits between 0
 * and 1, about 92 bytes a row. The coefficients are 1, -1, .5, -.5 and 0, the intercept 0.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { COLUMNS = 5, DIGITS = 15, LINE = 3 + COLUMNS * (DIGITS + 3) };

/* splitmix64: fast, and good enough for digits */
static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static char *write_number(char *at, uint64_t digits)
{
    *at++ = ',';
    *at++ = '0';
    *at++ = '.';
    for (int i = DIGITS - 1; i >= 0; i--, digits /= 10)
        at[i] = (char)('0' + (int)(digits % 10));
    return at + DIGITS;
}

int main(int argc, char **argv)
{
    static const double beta[COLUMNS] = {1, -1, 0.5, -0.5, 0};
    const double unit = 1e15;
    const long rows = argc == 2 ? strtol(argv[1], NULL, 10) : 0;
    uint64_t state = 1;
    if (rows < 1) {
        fputs("Usage: large_table ROWS >table.csv\n", stderr);
        return 2;
    }
    puts("y,x1,x2,x3,x4,x5");
    for (long i = 0; i < rows; i++) {
        char line[LINE + 1], *at = line + 1;
        double eta = 0;
        for (int j = 0; j < COLUMNS; j++) {
            const uint64_t digits = next(&state) % (uint64_t)unit;
            eta += beta[j] * (double)digits / unit;
            at = write_number(at, digits);
        }
        const double u = (double)(next(&state) >> 11) * 0x1p-53;
        line[0] = u < 1 / (1 + exp(-eta)) ? '1' : '0';
        *at++ = '\n';
        if (fwrite(line, 1, (size_t)(at - line), stdout) != (size_t)(at - line)) return 4;
    }
    return fflush(stdout) ? 4 : 0;
}
