/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The basis of all pictures: a page with a title, the plot, notes below it, and text that
 * is cut to fit. A file needs no other. Text may be any bytes: what XML does not allow
 * becomes a question mark. Callers check ferror. Internal.
 */
#ifndef DLPI_REPORT_SVG_H
#define DLPI_REPORT_SVG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The width of a page for a paper: 7.5 inches at 96 pixels. */
enum { DLPI_SVG_PAPER = 720 };
/* The margin of a page, and the sizes of text. */
enum { DLPI_SVG_EDGE = 12 };
#define DLPI_SVG_TEXT  12.0
#define DLPI_SVG_SMALL 10.5

/* The page around a plot. */
typedef struct dlpi_svg_page {
    const char *title;   /* at its head */
    const char *kind;    /* what it shows, for readers who cannot see it: "Forest plot" */
    const char *caption; /* below, in small letters; NULL: none */
    const char *warning; /* below that, in bold: a fit did not converge; NULL: none */
    double width;
    bool screen; /* follows the reader's light or dark scheme; paper is white */
} dlpi_svg_page;

/* Begins a page with `height` pixels between title and notes; returns the top of that
   area. */
double dlpi_svg_open(FILE *out, const dlpi_svg_page *page, double height);
void dlpi_svg_close(FILE *out);

/* Prints a text; class is a list of the classes in svg.c. */
void dlpi_svg_text(FILE *out, double x, double y, const char *class, const char *text);
/* Prints a text that reads upwards, centred. */
void dlpi_svg_text_up(FILE *out, double x, double y, const char *text);
/* Prints a text cut to fit into room, with an ellipsis; its title element has all of
   it. */
void dlpi_svg_text_in(FILE *out, double x, double y, const char *class, const char *text,
                      double size, double room);

/* Formats a number with that many decimals. If that is too long, or decimals is negative,
   uses the short form: four significant digits, or all digits of a whole number. Writes a
   minus sign instead of a hyphen, and a dash if x is not finite. */
void dlpi_svg_number(double x, int decimals, char text[32]);
/* The decimals for a table of numbers with these n sds: enough for half of the sds to
   show two digits or more. Negative: use the short form. Sorts sd. */
int dlpi_svg_decimals(size_t n, double *sd);

#endif
