/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What all pictures are made of: a page with its title, a plot between, notes below, and
 * text that fits. A file needs nothing but itself. Text may be any bytes: what XML does
 * not allow becomes a question mark. Callers look at ferror. Internal.
 */
#ifndef DLPI_REPORT_SVG_H
#define DLPI_REPORT_SVG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The width of a page for a paper: 7.5 inches at 96 pixels. */
enum { DLPI_SVG_PAPER = 720 };
/* Around a page; the sizes of text; lines of small text. */
enum { DLPI_SVG_EDGE = 12 };
#define DLPI_SVG_TEXT  12.0
#define DLPI_SVG_SMALL 10.5

/* The page around a plot. */
typedef struct dlpi_svg_page {
    const char *title;   /* at its head */
    const char *kind;    /* what it is, for those who cannot see it: "Forest plot" */
    const char *caption; /* below, in small letters; NULL: none */
    const char *warning; /* below that, to be seen: a fit did not converge; NULL: none */
    double width;
    bool screen; /* follows the reader's light or dark scheme; paper is white */
} dlpi_svg_page;

/* Begins a page that has `height` pixels between title and notes; returns their top. */
double dlpi_svg_open(FILE *out, const dlpi_svg_page *page, double height);
void dlpi_svg_close(FILE *out);

/* A text; class is a list of those in svg.c. */
void dlpi_svg_text(FILE *out, double x, double y, const char *class, const char *text);
/* One that reads upwards, around its middle. */
void dlpi_svg_text_up(FILE *out, double x, double y, const char *text);
/* One that is cut, with an ellipsis, to fit into room; the whole is in its title. */
void dlpi_svg_text_in(FILE *out, double x, double y, const char *class, const char *text,
                      double size, double room);

/* A number with so many decimals; where that is too long, or they are negative, in short
   form: four significant digits, or all of a whole number. With a minus sign and not a
   hyphen; what is not finite is a dash. */
void dlpi_svg_number(double x, int decimals, char text[32]);
/* The decimals for numbers of one table that have these n sds: half of them show two
   digits or more. Negative: the short form. Sorts them. */
int dlpi_svg_decimals(size_t n, double *sd);

#endif
