/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Settings that can gain fields. A public settings struct begins with `size_t size`,
 * which dlp_xxx_settings_default() sets; it is an inline function of the header, so that
 * the size is that of the header a program was compiled with:
 *
 *     DLP_API void dlp_xxx_settings_init(dlp_xxx_settings *settings, size_t size);
 *     static inline dlp_xxx_settings dlp_xxx_settings_default(void) { ... _init(&s, sizeof s) }
 *
 * The library copies what the program has over its own defaults. Internal.
 */
#ifndef DLPI_CORE_SETTINGS_H
#define DLPI_CORE_SETTINGS_H

#include <delaplace/status.h>
#include <string.h>

/* Whether given, which may be NULL, states its size. A struct that was initialised only
   by hand does not; silently using the defaults would hide that. */
static inline dlp_status dlpi_settings_check(const void *given, dlp_error *error)
{
    size_t size = sizeof size;
    if (given) memcpy(&size, given, sizeof size);
    if (size >= sizeof size) return DLP_OK;
    return dlp_fail(error, DLP_EINVAL,
                    "the settings have size %zu; begin with those of the _default() "
                    "function of their type",
                    size);
}

/* full (full_size bytes) holds the defaults; if given is NULL they stay. */
static inline void dlpi_settings_merge(void *full, size_t full_size, const void *given)
{
    size_t size = 0;
    if (given) memcpy(&size, given, sizeof size);
    memcpy(full, given ? given : full, size < full_size ? size : full_size);
    memcpy(full, &full_size, sizeof full_size);
}

/* Checks, then merges. */
static inline dlp_status dlpi_settings_take(void *full, size_t full_size,
                                            const void *given, dlp_error *error)
{
    const dlp_status status = dlpi_settings_check(given, error);
    if (status == DLP_OK) dlpi_settings_merge(full, full_size, given);
    return status;
}

/* For dlp_xxx_settings_init: as much of the defaults as fits into `size` bytes. */
static inline void dlpi_settings_give(void *settings, size_t size, const void *defaults,
                                      size_t full_size)
{
    memset(settings, 0, size);
    memcpy(settings, defaults, size < full_size ? size : full_size);
    memcpy(settings, &size, sizeof size);
}

#endif
