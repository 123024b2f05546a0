/* SPDX-License-Identifier: BSD-3-Clause */
#include <delaplace/text.h>

dlp_text_settings dlp_text_settings_default(void)
{
    return (dlp_text_settings){
        .stop_words = "english", .min_length = 3, .min_documents = 5, .max_share = 0.5};
}
