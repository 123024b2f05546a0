/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Documents that are more than their text: pages, XML and mail. text_markup.c tells what a
 * document is, text_html.c takes the text out of tags (by libxml2), text_mail.c out of
 * headers and parts, text_transfer.c undoes the encodings of mail. Internal.
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

/* What a document is, by how it begins and, of HTML, by its tags. */
enum dlpi_markup dlpi_markup_of(const char *text, size_t size);
/* Whether its tags are those of HTML. */
bool dlpi_is_html(const char *text, size_t size);

/* The text of a page, or of XML, is put; nothing, and false, where it cannot be read to its
   end, or without libxml2. */
bool dlpi_put_html(const char *text, size_t size, struct dlpi_output *out);
bool dlpi_put_xml(const char *text, size_t size, struct dlpi_output *out);
bool dlpi_has_libxml(void);

/* The subject and the text of a mail, without quotations and signature. */
void dlpi_put_mail(const char *text, size_t size, struct dlpi_output *out);

/* A piece of a text. */
struct dlpi_piece {
    const char *at;
    size_t size;
};
struct dlpi_piece dlpi_piece_line(struct dlpi_piece *rest);        /* without its end */
bool dlpi_piece_begins(struct dlpi_piece piece, const char *word); /* in any case */

/* Encodings of mail: quoted-printable, where in a header _ is a blank, and base64. */
void dlpi_put_unquoted(struct dlpi_piece text, bool header, struct dlpi_output *out);
void dlpi_put_unbase64(struct dlpi_piece text, struct dlpi_output *out);
/* Bytes in a character set as UTF-8; as they are where the set is not known. */
void dlpi_put_recoded(const char *charset, struct dlpi_piece text,
                      struct dlpi_output *out);
/* A line of a header, in which =?utf-8?q?...?= stands for other letters. */
void dlpi_put_header(struct dlpi_piece text, struct dlpi_output *out);

#endif
