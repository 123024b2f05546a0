/* SPDX-License-Identifier: BSD-3-Clause */
/* The lists of stop words, by families of languages; text_stop.c names them. Internal. */
#ifndef DLPI_CORPUS_STOP_LISTS_H
#define DLPI_CORPUS_STOP_LISTS_H

extern const char dlpi_stop_english[];

extern const char dlpi_stop_german[], dlpi_stop_dutch[], dlpi_stop_swedish[],
    dlpi_stop_danish[], dlpi_stop_norwegian[], dlpi_stop_yiddish[];

extern const char dlpi_stop_french[], dlpi_stop_spanish[], dlpi_stop_italian[],
    dlpi_stop_portuguese[], dlpi_stop_catalan[], dlpi_stop_romanian[];

extern const char dlpi_stop_russian[], dlpi_stop_serbian[], dlpi_stop_lithuanian[],
    dlpi_stop_finnish[], dlpi_stop_hungarian[], dlpi_stop_turkish[], dlpi_stop_greek[],
    dlpi_stop_armenian[], dlpi_stop_basque[];

extern const char dlpi_stop_arabic[], dlpi_stop_hindi[], dlpi_stop_nepali[],
    dlpi_stop_tamil[], dlpi_stop_indonesian[], dlpi_stop_irish[];

extern const char dlpi_stop_chinese[], dlpi_stop_japanese[], dlpi_stop_thai[],
    dlpi_stop_khmer[];

#endif
