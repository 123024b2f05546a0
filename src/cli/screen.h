/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures made of text: bars, intervals, lists of words wrapped into lines. */
#ifndef DLP_CLI_SCREEN_H
#define DLP_CLI_SCREEN_H

enum { CLI_PLOT_WIDTH = 31 }; /* of a plot if there is room */

/* The width of the terminal on standard output, at least 40; 80 if it is not a terminal,
   so that files do not depend on where they are made. */
int cli_screen_width(void);

/* Prints # for the given share (0 to 1) of width, then blanks. */
void cli_print_bar(double share, int width);

/* The column of a number in a plot from low to high. */
typedef struct cli_axis {
    double low, high;
    int width; /* columns, 1 or more */
} cli_axis;

/* "   --o---|  " after a blank: the interval, the mean, and zero. Blanks at the end are
   left out. */
void cli_print_plot(const cli_axis *axis, double lower, double mean, double upper);

/* A list of words, separated by commas. Start with all but indent and width zeroed, and
   the cursor at column `indent`. */
typedef struct cli_list {
    int indent; /* column where lines begin, from 0 */
    int width;  /* of the screen */
    int at;     /* columns used after the indent */
} cli_list;

void cli_list_add(cli_list *list, const char *word);
void cli_list_end(cli_list *list);

#endif
