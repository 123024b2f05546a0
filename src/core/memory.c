/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

static double limit_of(int which)
{
    struct rlimit limit;
    if (getrlimit(which, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return INFINITY;
    return (double)limit.rlim_cur;
}

static double machine(void)
{
#ifdef _SC_PHYS_PAGES
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    if (pages > 0 && size > 0) return (double)pages * (double)size;
#endif
    return INFINITY;
}

/* The limit of a container; the file holds a number or "max". */
static double control_group(void)
{
    double bytes;
    FILE *in = fopen("/sys/fs/cgroup/memory.max", "r");
    if (!in) return INFINITY;
    const int found = fscanf(in, "%lf", &bytes);
    (void)fclose(in);
    return found == 1 && bytes > 0 ? bytes : INFINITY;
}

double dlpi_memory_share(int processes)
{
    const double limits = fmin(limit_of(RLIMIT_AS), limit_of(RLIMIT_DATA));
    return fmin(limits, fmin(machine(), control_group()) / processes);
}

double dlpi_memory_most(void)
{
    return dlpi_memory_share(1);
}

/* The bytes of this process that are in memory, and all that it may write to; false if
   unknown. */
static bool own_pages(double *resident, double *data)
{
    *resident = *data = 0;
    FILE *in = fopen("/proc/self/statm", "r");
    if (!in) return false;
    const int found = fscanf(in, "%*s %lf %*s %*s %*s %lf", resident, data);
    (void)fclose(in);
    *resident *= (double)sysconf(_SC_PAGESIZE);
    *data *= (double)sysconf(_SC_PAGESIZE);
    return found == 2;
}

/* What other programs leave of the machine, and what this one has already: beyond that the
   system ends a program, without a message. */
static double reachable(void)
{
    char line[128];
    double left = INFINITY, resident, data;
    FILE *in = fopen("/proc/meminfo", "r");
    if (!in) return left;
    while (fgets(line, sizeof line, in))
        if (sscanf(line, "MemAvailable: %lf", &left) == 1) break;
    (void)fclose(in);
    return own_pages(&resident, &data) ? left * 1024 + resident : INFINITY;
}

/* A limit counts writable mappings whether or not they are used; the machine counts only
   what is used. */
double dlpi_memory_used(void)
{
    double resident, data;
    if (!own_pages(&resident, &data)) return 0;
    return isfinite(limit_of(RLIMIT_DATA)) ? data : resident;
}

/* "3.2 GB", "120 MB" */
static void show_bytes(double bytes, char text[32])
{
    const double giga = 1e9, mega = 1e6;
    if (bytes >= 0.95 * giga)
        snprintf(text, 32, bytes >= 10 * giga ? "%.0f GB" : "%.1f GB", bytes / giga);
    else
        snprintf(text, 32, "%.0f MB", ceil(bytes / mega));
}

dlp_status dlpi_memory_check(double bytes, const char *what, const char *remedy,
                             dlp_error *error)
{
    const double small = 64e6; /* too little to ask the system about */
    if (bytes < small) return DLP_OK;
    const double most = fmin(dlpi_memory_most(), reachable());
    char needs[32], has[32];
    if (bytes <= most) return DLP_OK;
    show_bytes(bytes, needs);
    show_bytes(most, has);
    return dlp_fail(error, DLP_ENOMEM,
                    "%s needs about %s of memory, but only %s are available; %s", what,
                    needs, has, remedy);
}
