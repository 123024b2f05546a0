/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds libdelaplace-mpi.so: next to the library, or to the program that it is linked
   into, or else where the system looks. */
#include "comm/comm.h"
#include "core/core.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

static const char name[] = "libdelaplace-mpi.so";

/* libmpi loads plug-ins of its own, which need its symbols: so they are global. It stays
   loaded, as MPI requires. */
static void *open_at(const char *folder, int length, const char *between)
{
    char path[PATH_MAX];
    const int size =
        snprintf(path, sizeof path, "%.*s%s%s", length, folder, between, name);
    return size < (int)sizeof path ? dlopen(path, RTLD_NOW | RTLD_GLOBAL) : NULL;
}

static void *open_plugin(void)
{
    Dl_info here;
    void *library = NULL;
    if (dladdr(name, &here) && here.dli_fname) {
        const char *slash = strrchr(here.dli_fname, '/');
        const int length = slash ? (int)(slash - here.dli_fname) : 0;
        if (slash) library = open_at(here.dli_fname, length, "/");
        if (slash && !library) library = open_at(here.dli_fname, length, "/../lib/");
    }
    return library ? library : dlopen(name, RTLD_NOW | RTLD_GLOBAL);
}

dlp_status dlpi_comm_plugin(dlpi_comm *comm, dlp_error *error)
{
    *comm = dlpi_comm_serial();
    void *library = open_plugin();
    if (!library)
        return dlp_fail(error, DLP_EINVAL,
                        "several processes need MPI: %.300s; build delaplace where CMake "
                        "finds MPI, or run it without mpirun",
                        dlerror());
    /* as POSIX recommends, since ISO C cannot convert an object pointer to a function
       pointer */
    dlpi_comm_open *open_comm;
    *(void **)&open_comm = dlsym(library, DLPI_COMM_OPEN);
    if (!open_comm)
        return dlp_fail(error, DLP_EINVAL, "%s does not fit this library; reinstall both",
                        name);
    return open_comm(DLPI_COMM_VERSION, comm, error);
}
