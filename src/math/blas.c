/* SPDX-License-Identifier: BSD-3-Clause */
#include "math/blas.h"

#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>

/* The number of threads is a setting of the whole process. */
typedef int get_count(void);
typedef void set_count(int count);

static dlpi_blas functions;
static bool found, is_openblas;
static get_count *get;
static set_count *set;

/* OpenBLAS's buffer for a caller, and about what the library itself takes. */
enum { BUFFER = 129 << 20, LIBRARY = 48 << 20 };

static bool has_room(size_t bytes)
{
    void *room =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) return false;
    munmap(room, bytes);
    return true;
}

#ifdef DLPI_LINKED_BLAS
#define DECLARE(function, arguments) void function##_ arguments;
DLPI_BLAS_FUNCTIONS(DECLARE)
#undef DECLARE

/* DLPI_LINKED_BLAS: a program without shared libraries has its BLAS inside. */
static bool find_functions(void)
{
#define TAKE(function, arguments) functions.function = function##_;
    DLPI_BLAS_FUNCTIONS(TAKE)
#undef TAKE
    return true;
}
#endif

#ifdef DLPI_STATIC_OPENBLAS
get_count openblas_get_num_threads;
set_count openblas_set_num_threads;
const char *openblas_get_config(void);

static void find_threads(void)
{
    get = openblas_get_num_threads;
    set = openblas_set_num_threads;
    is_openblas = true;
}
#else
#include <dlfcn.h>

/* Where functions are looked up: among all libraries of the program, or in our own. */
static void *library = RTLD_DEFAULT;

/* ISO C has no cast from an object's address to a function's. */
static bool find(const char *symbol, void *function)
{
    void *address = dlsym(library, symbol);
    *(void **)function = address;
    return address != NULL;
}

#ifndef DLPI_LINKED_BLAS
static bool find_all(void)
{
    bool all = true;
#define FIND(function, arguments) all = all && find(#function "_", &functions.function);
    DLPI_BLAS_FUNCTIONS(FIND)
#undef FIND
    return all;
}

/* The host program's own library (R's, MKL), or else the one that the build found. */
static bool find_functions(void)
{
    if (find_all()) return true;
    if (!has_room(LIBRARY + BUFFER)) return false;
    library = dlopen(DLPI_BLAS_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    return library && find_all();
}
#endif

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

static void find_threads(void)
{
    if (find("openblas_get_num_threads", &get) &&
        find("openblas_set_num_threads", &set)) {
        is_openblas = true;
    } else if (find("MKL_Get_Max_Threads", &get) && find("MKL_Set_Num_Threads", &set)) {
        return;
    } else if (find("bli_thread_get_num_threads", &get_blis) &&
               find("bli_thread_set_num_threads", &set_blis)) {
        get = get_count_blis;
        set = set_count_blis;
    } else {
        get = NULL;
        set = NULL;
    }
}
#endif

static void look_up(void)
{
    found = find_functions();
    if (found) find_threads();
}

/* The first caller to enter sets the count to one, and the last to leave restores it. */
static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t looked_up = PTHREAD_ONCE_INIT;
static int inside, before, buffers;

/* OpenBLAS keeps a buffer for each of the callers that overlap in time, and retries for
   ever if the system has no memory for one. So another caller is let in only if there is
   memory for its buffer, which a first call then allocates. */
static bool take_buffer(void)
{
    if (!has_room(BUFFER)) return false;
    const int one = 1;
    const double x = 1;
    double square = 0;
    functions.dsyrk("L", "N", &one, &one, &x, &x, &one, &x, &square, &one);
    buffers++;
    return true;
}

const dlpi_blas *dlpi_blas_enter(void)
{
    pthread_once(&looked_up, look_up);
    if (!found) return NULL;
    if (!set) return &functions;
    pthread_mutex_lock(&door);
    const bool may = !is_openblas || inside < buffers || take_buffer();
    if (may && inside++ == 0) {
        before = get();
        if (before != 1) set(1);
    }
    pthread_mutex_unlock(&door);
    return may ? &functions : NULL;
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
#ifdef DLPI_STATIC_OPENBLAS
    return openblas_get_config();
#elif defined DLPI_LINKED_BLAS
    return "linked";
#else
    return DLPI_BLAS_LIBRARY;
#endif
}
