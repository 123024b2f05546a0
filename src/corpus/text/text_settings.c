/* SPDX-License-Identifier: BSD-3-Clause */
/* The default settings for making a corpus from text. A library without the text builder
   has them, too. */
#include "core/settings.h"

#include <delaplace/text.h>

static const dlp_text_settings defaults = {.stop_words = "auto",
                                           .min_length = 3,
                                           .min_documents = 5,
                                           .max_share = 0.5,
                                           .markup = "auto",
                                           .phrase_strength = 0.4,
                                           .keep_text = 1};
static const dlp_text_source source_defaults = {.path = NULL};

void dlp_text_settings_init(dlp_text_settings *settings, size_t size)
{
    dlpi_settings_give(settings, size, &defaults, sizeof defaults);
}

void dlp_text_source_init(dlp_text_source *source, size_t size)
{
    dlpi_settings_give(source, size, &source_defaults, sizeof source_defaults);
}
