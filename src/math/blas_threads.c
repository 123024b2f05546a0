/* SPDX-License-Identifier: BSD-3-Clause */
#include "math/blas_threads.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* The number of threads is a setting of the whole process. */
typedef int get_count(void);
typedef void set_count(int count);
typedef const char *describe(void);

#ifdef DLPI_STATIC_OPENBLAS
/* A program without shared libraries has nothing to look up. */
get_count openblas_get_num_threads;
set_count openblas_set_num_threads;
describe openblas_get_config;

static get_count *get;
static set_count *set;
static const char *name;

static void look_up(void)
{
    get = openblas_get_num_threads;
    set = openblas_set_num_threads;
    name = openblas_get_config();
}
#else
#include <dlfcn.h>

static get_count *get;
static set_count *set;
static const char *name;

/* BLIS uses another integer type. */
static ptrdiff_t (*get_blis)(void);
static void (*set_blis)(ptrdiff_t count);

static int get_count_blis(void)
{
    return (int)get_blis();
}

static void set_count_blis(int count)
{
    set_blis(count);
}

/* Looks up a function among all libraries that the program has loaded; ISO C has no cast
   for it. */
static bool find(const char *symbol, void *function)
{
    void *found = dlsym(RTLD_DEFAULT, symbol);
    *(void **)function = found;
    return found != NULL;
}

static void look_up(void)
{
    describe *own;
    name = "unknown";
    if (find("openblas_get_num_threads", &get) && find("openblas_set_num_threads", &set))
        name = find("openblas_get_config", &own) ? own() : "OpenBLAS";
    else if (find("MKL_Get_Max_Threads", &get) && find("MKL_Set_Num_Threads", &set))
        name = "MKL";
    else if (find("bli_thread_get_num_threads", &get_blis) &&
             find("bli_thread_set_num_threads", &set_blis)) {
        name = find("bli_info_get_version_str", &own) ? own() : "BLIS";
        get = get_count_blis;
        set = set_count_blis;
    } else {
        get = NULL;
        set = NULL;
    }
}
#endif

/* The first caller to enter sets the count to one, and the last to leave restores it. */
static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t looked_up = PTHREAD_ONCE_INIT;
static int inside, before;

void dlpi_blas_enter(void)
{
    pthread_once(&looked_up, look_up);
    if (!set) return;
    pthread_mutex_lock(&door);
    if (inside++ == 0) {
        before = get();
        if (before != 1) set(1);
    }
    pthread_mutex_unlock(&door);
}

void dlpi_blas_leave(void)
{
    if (!set) return;
    pthread_mutex_lock(&door);
    if (--inside == 0 && before != 1) set(before);
    pthread_mutex_unlock(&door);
}

const char *dlpi_blas_name(void)
{
    pthread_once(&looked_up, look_up);
    return name;
}
