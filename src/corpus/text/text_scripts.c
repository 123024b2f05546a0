/* SPDX-License-Identifier: BSD-3-Clause */
/* Which characters belong to scripts without blanks between words, by Unicode's blocks. */
#include "corpus/text/text_segment.h"

struct block {
    int32_t first, last;
};

static const struct block syllabic[] = {
    {0x2e80, 0x2fdf},                                         /* radicals */
    {0x3005, 0x3007},                                         /* marks of repetition */
    {0x3041, 0x30ff},                                         /* hiragana, katakana */
    {0x31f0, 0x31ff},                                         /* more katakana */
    {0x3400, 0x4dbf},                                         /* Han */
    {0x4e00, 0x9fff},   {0xf900, 0xfaff},   {0xff66, 0xff9f}, /* narrow katakana */
    {0x1b000, 0x1b16f}, {0x20000, 0x323af},
};

static const struct block other[] = {
    {0x0e00, 0x0eff}, /* Thai, Lao */
    {0x1000, 0x109f}, /* Burmese */
    {0x1780, 0x17ff}, /* Khmer */
    {0xa9e0, 0xa9ff}, {0xaa60, 0xaa7f},
};

static bool is_in(int32_t character, const struct block *block, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (character >= block[i].first && character <= block[i].last) return true;
    return false;
}

bool dlpi_is_syllabic(int32_t character)
{
    return character >= syllabic[0].first &&
           is_in(character, syllabic, sizeof syllabic / sizeof syllabic[0]);
}

bool dlpi_is_unspaced(int32_t character)
{
    return character >= other[0].first &&
           (is_in(character, other, sizeof other / sizeof other[0]) ||
            dlpi_is_syllabic(character));
}
