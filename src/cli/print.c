/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/print.h"

#include <stdbool.h>
#include <string.h>

const char *cli_plural(dlp_index count)
{
    return count == 1 ? "" : "s";
}

static bool takes_room(char byte)
{
    return ((unsigned char)byte & 0xC0) != 0x80;
}

int cli_name_width(const char *name)
{
    int width = 0;
    for (; *name; name++) width += takes_room(*name);
    return width;
}

void cli_write_name(FILE *out, const char *name)
{
    for (; *name; name++) {
        const unsigned char byte = (unsigned char)*name;
        fputc(byte < 0x20 || byte == 0x7F ? '?' : byte, out);
    }
}

void cli_print_name(const char *name, int width)
{
    const int room = width - cli_name_width(name);
    cli_write_name(stdout, name);
    printf("%*s", room > 0 ? room : 0, "");
}

void cli_print_shell_word(const char *word)
{
    const char *plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
        "0123456789_-+=./,:@%";
    const bool quoted = !*word || word[strspn(word, plain)];
    if (quoted) putchar('\'');
    for (; *word; word++) {
        if (*word == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*word);
    }
    if (quoted) putchar('\'');
}
