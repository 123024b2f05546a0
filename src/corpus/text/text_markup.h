/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Documents that are more than their text: web pages, XML and mail. text_markup.c finds
 * out what a document is, text_html.c extracts text from tags (with libxml2), text_mail.c
 * from headers and parts, and text_transfer.c decodes the encodings of mail. Internal.
 */
#ifndef DLPI_CORPUS_TEXT_MARKUP_H
#define DLPI_CORPUS_TEXT_MARKUP_H

#include "io/output.h"

#include <delaplace/text.h>

enum dlpi_markup {
    DLPI_MARKUP_NONE,
    DLPI_MARKUP_HTML,
    DLPI_MARKUP_XML,
    DLPI_MARKUP_MAIL,
};

/* What a document is, judged by its beginning and, for HTML, by its tags. */
enum dlpi_markup dlpi_markup_of(const char *text, size_t size);

/* Puts the text of a page, or of XML. Puts nothing and returns false if it cannot be
   parsed to its end, or without libxml2. */
bool dlpi_put_html(const char *text, size_t size, struct dlpi_output *out);
bool dlpi_put_xml(const char *text, size_t size, struct dlpi_output *out);

/* Whether an element of that name has no text for readers: scripts and the like. */
bool dlpi_html_hides(const char *name);

/* Puts the subject and the text of a mail, without quotations and signature. */
void dlpi_put_mail(const char *text, size_t size, struct dlpi_output *out);

/* A piece of a text. */
struct dlpi_piece {
    const char *at;
    size_t size;
};
struct dlpi_piece dlpi_piece_line(struct dlpi_piece *rest); /* without its line end */
bool dlpi_piece_begins(struct dlpi_piece piece, const char *word); /* in any case */

/* Decodes mail: quoted-printable, where _ is a blank in a header, and base64. */
void dlpi_put_unquoted(struct dlpi_piece text, bool header, struct dlpi_output *out);
void dlpi_put_unbase64(struct dlpi_piece text, struct dlpi_output *out);
/* Puts bytes of a character set as UTF-8; as they are if the set is unknown. */
void dlpi_put_recoded(const char *charset, struct dlpi_piece text,
                      struct dlpi_output *out);
/* Puts a line of a header, with =?utf-8?q?...?= decoded. */
void dlpi_put_header(struct dlpi_piece text, struct dlpi_output *out);

#endif
