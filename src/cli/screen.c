/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/screen.h"

#include "cli/print.h"

#include <math.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { USUAL_WIDTH = 80, LEAST_WIDTH = 40 };

int cli_screen_width(void)
{
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return USUAL_WIDTH;
    return size.ws_col < LEAST_WIDTH ? LEAST_WIDTH : size.ws_col;
}

void cli_print_bar(double share, int width)
{
    const int length = (int)lround(fmin(fmax(share, 0), 1) * width);
    for (int i = 0; i < width; i++) putchar(i < length ? '#' : ' ');
}

static int position(const cli_axis *a, double x)
{
    const double at = (x - a->low) / (a->high - a->low) * (a->width - 1);
    return at > 0 ? (int)lround(fmin(at, a->width - 1)) : 0;
}

void cli_print_plot(const cli_axis *axis, double lower, double mean, double upper)
{
    const int first = position(axis, lower), last = position(axis, upper);
    const int middle = position(axis, mean);
    const int zero = axis->low <= 0 && axis->high >= 0 ? position(axis, 0) : -1;
    putchar(' ');
    for (int i = 0; i <= last || i <= zero; i++) {
        const char inside = i >= first && i <= last ? '-' : ' ';
        putchar(i == middle ? 'o' : i == zero ? '|' : inside);
    }
}

void cli_list_add(cli_list *list, const char *word)
{
    const int length = cli_name_width(word), room = list->width - list->indent;
    if (list->at > 0 &&
        list->at + 2 + length + 1 > room) { /* room for the comma that may follow */
        printf(",\n%*s", list->indent, "");
        list->at = 0;
    } else if (list->at > 0) {
        fputs(", ", stdout);
        list->at += 2;
    }
    cli_print_name(word, 0);
    list->at += length;
}

void cli_list_end(cli_list *list)
{
    putchar('\n');
    list->at = 0;
}
