/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Preloaded into a program: makes one of its calls fail. DLP_FAULT=KIND:N:ERRNO fails the
 * N-th call of a kind (N+ : that one and all that follow); ERRNO is a number. KIND is memory,
 * open, read, write, sync, rename, close, thread or map; an ERRNO of 0 is SIGKILL instead, and one
 * below 0 a signal of that number, after which the call proceeds.
 * DLP_FAULT_COUNT=FILE: how many calls of each kind there were, one line "KIND COUNT FIRST..."
 * each, written at the end, with the first call from each place in the program, where a place
 * is the whole stack of functions being called. Calls are counted from main() on, those of the C
 * library's own streams too, where they can be reached. DLP_FAULT_WHERE=1: the place of the
 * call that fails, on stderr, for addr2line.
 *
 * DLP_FAULT_ASK=FROM,TO: descriptors of a controller that decides, before each call, what
 * fails. It is sent "KIND N NEW ALONE", where NEW is 1 for the first call from its place and
 * ALONE is 1 while there is one thread and no file that is mapped for writing, and answers "go",
 * or "ERRNO" or "ERRNO+" as above. In the latter cases a copy of the process (fork) continues
 * with that fault, its output in DLP_FAULT_SAID.out and .err; the controller is sent "PID", and
 * at the copy's end "STATUS", and is asked again. So a thousand faults of a program take little
 * more than one run of it. The program's own threads, which draw and watch, are not started.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum kind { MEMORY, OPEN, READ, WRITE, SYNC, RENAME, CLOSE, THREAD, MAP, KINDS };
static const char *const kind_name[KINDS] = {"memory", "open",  "read",   "write", "sync",
                                             "rename", "close", "thread", "map"};

static atomic_long calls[KINDS];
static int faulty = -1, with;
static long first, last;
static bool deadly;
static atomic_bool started;

/* The places that calls come from, by the hash of their stack: an open table a kind. */
enum { PLACES = 1 << 15, DEPTH = 40 };
typedef struct place {
    unsigned long hash;
    long first;
} place;
static place places[KINDS][PLACES];
static const char *count_path, *said_path;
static int ask_from = -1, ask_to = -1;
static atomic_bool shares_memory; /* with a file, and so with copies */
static _Thread_local bool looking, asking;
static pthread_mutex_t places_door = PTHREAD_MUTEX_INITIALIZER,
                       ask_door = PTHREAD_MUTEX_INITIALIZER;

/* The functions behind: those of glibc's memory by their own names, as dlsym needs memory. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *p, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
static FILE *(*real_fopen)(const char *, const char *);
static FILE *(*real_memstream)(char **, size_t *);
static size_t (*real_fread)(void *, size_t, size_t, FILE *);
static size_t (*real_fwrite)(const void *, size_t, size_t, FILE *);
static int (*real_fclose)(FILE *);
static int (*real_fflush)(FILE *);
static DIR *(*real_opendir)(const char *);
static int (*real_create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

static void find(const char *name, void *function)
{
    *(void **)function = dlsym(RTLD_NEXT, name);
}

/* Other libraries begin before this one. */
static void find_all(void)
{
    if (real_create) return;
    find("fopen", &real_fopen);
    find("open_memstream", &real_memstream);
    find("fread", &real_fread);
    find("fwrite", &real_fwrite);
    find("fclose", &real_fclose);
    find("fflush", &real_fflush);
    find("opendir", &real_opendir);
    find("pthread_create", &real_create);
}

__attribute__((constructor)) static void begin(void)
{
    find_all();
    const char *rank =
        getenv("OMPI_COMM_WORLD_RANK"); /* under mpirun the first is looked at */
    if (rank && strcmp(rank, "0") != 0) {
        atomic_store(&started, true);
        return;
    }
    count_path = getenv("DLP_FAULT_COUNT");
    said_path = getenv("DLP_FAULT_SAID");
    const char *asked = getenv("DLP_FAULT_ASK");
    if (asked) sscanf(asked, "%d,%d", &ask_from, &ask_to);
    void *warm[DEPTH];
    if (count_path || asked)
        (void)backtrace(warm, DEPTH); /* its first call loads a library */
    const char *wanted = getenv("DLP_FAULT");
    char name[16] = "", more = 0;
    if (wanted) {
        sscanf(wanted, "%15[a-z]:%ld%c:%d", name, &first, &more, &with);
        if (more == ':') sscanf(wanted, "%15[a-z]:%ld:%d", name, &first, &with);
        last = more == '+' ? 1L << 60 : first;
        deadly = with == 0;
        for (int k = 0; k < KINDS; k++)
            if (!strcmp(name, kind_name[k])) faulty = k;
    }
    atomic_store(&started, true);
}

static void put(int fd, const char *form, long number)
{
    char text[64];
    const int length = snprintf(text, sizeof text, form, number);
    (void)!syscall(SYS_write, fd, text, (size_t)length);
}

static void put_count(int fd, int kind)
{
    (void)!syscall(SYS_write, fd, kind_name[kind], strlen(kind_name[kind]));
    put(fd, " %ld", atomic_load(&calls[kind]));
    for (int i = 0; i < PLACES; i++)
        if (places[kind][i].hash) put(fd, " %ld", places[kind][i].first);
    put(fd, "\n", 0);
}

/* Where this call comes from; true if nothing came from there before. */
static bool note_place(enum kind kind, long n)
{
    void *stack[DEPTH];
    bool is_new = false;
    if (looking) return false;
    looking = true;
    const int depth = backtrace(stack, DEPTH);
    looking = false;
    unsigned long hash = 14695981039346656037u;
    for (int i = 0; i < depth; i++)
        hash = (hash ^ (unsigned long)stack[i]) * 1099511628211u;
    pthread_mutex_lock(&places_door);
    size_t at = hash % PLACES;
    for (int tries = 0; tries < PLACES; tries++, at = (at + 1) % PLACES) {
        if (places[kind][at].hash == hash) break;
        if (places[kind][at].hash) continue;
        places[kind][at] = (place){hash, n};
        is_new = true;
        break;
    }
    pthread_mutex_unlock(&places_door);
    return is_new;
}

__attribute__((destructor)) static void end(void)
{
    atomic_store(&started, false);
    if (!count_path) return;
    const int fd = (int)syscall(SYS_openat, AT_FDCWD, count_path,
                                O_WRONLY | O_CREAT | O_TRUNC, 0666);
    for (int k = 0; k < KINDS; k++) put_count(fd, k);
    (void)syscall(SYS_close, fd);
}

void _exit(int code)
{
    end();
    for (;;) (void)syscall(SYS_exit_group, code);
}

/* ---- copies of the process that meet a fault ---- */

enum { FDS = 64 };

static void say_so(const char *form, long a, long b, long c, long d)
{
    char text[128];
    const int length = snprintf(text, sizeof text, form, a, b, c, d);
    if (syscall(SYS_write, ask_to, text, (size_t)length) != length)
        syscall(SYS_exit_group, 99);
}

/* A line, without its end. */
static void hear(char *text, size_t size)
{
    size_t length = 0;
    while (length + 1 < size && syscall(SYS_read, ask_from, text + length, 1) == 1 &&
           text[length] != '\n')
        length++;
    text[length] = 0;
    if (!length) syscall(SYS_exit_group, 99); /* nobody is there */
}

static void redirect(int fd, const char *ending)
{
    char path[1024];
    snprintf(path, sizeof path, "%s%s", said_path, ending);
    const int file = (int)syscall(SYS_openat, AT_FDCWD, path,
                                  O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0666);
    (void)dup2(file, fd);
    (void)syscall(SYS_close, file);
}

static void become_faulty(enum kind kind, long n, const char *fault)
{
    char more = 0;
    sscanf(fault, "%d%c", &with, &more);
    first = n;
    last = more == '+' ? 1L << 60 : n;
    deadly = with == 0;
    faulty = (int)kind;
    (void)syscall(SYS_close, ask_from);
    (void)syscall(SYS_close, ask_to);
    ask_from = ask_to = -1;
    redirect(STDOUT_FILENO, ".out");
    redirect(STDERR_FILENO, ".err");
}

/* Positions in files are those of the copy, too: they are put back. */
static void wait_for(pid_t copy, const off_t *position)
{
    int status = 0;
    say_so("%ld\n", copy, 0, 0, 0);
    while (syscall(SYS_wait4, copy, &status, 0, NULL) < 0 && errno == EINTR) continue;
    for (int fd = 0; fd < FDS; fd++)
        if (position[fd] >= 0) (void)lseek(fd, position[fd], SEEK_SET);
    say_so("%ld\n", status, 0, 0, 0);
}

/* Asks until told to go on. */
static void ask(enum kind kind, long n)
{
    const int why = errno;
    const bool is_new = note_place(kind, n);
    asking = true; /* a handler of signals may come in between */
    struct stat tasks;
    pthread_mutex_lock(&ask_door);
    const long alone = stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink == 3 &&
                       !atomic_load(&shares_memory);
    for (;;) {
        char fault[32];
        say_so("%ld %ld %ld %ld\n", kind, n, is_new, alone);
        hear(fault, sizeof fault);
        if (!strcmp(fault, "go")) break;
        off_t position[FDS];
        for (int fd = 0; fd < FDS; fd++) position[fd] = lseek(fd, 0, SEEK_CUR);
        const pid_t copy = _Fork();
        if (copy == 0) {
            become_faulty(kind, n, fault);
            break;
        }
        wait_for(copy, position);
    }
    pthread_mutex_unlock(&ask_door);
    asking = false;
    errno = why;
}

/* Whether this call fails; errno tells why. */
static bool fails(enum kind kind)
{
    if (kind != MEMORY) find_all();
    if (!atomic_load(&started)) return false;
    const long n = atomic_fetch_add(&calls[kind], 1) + 1;
    if (count_path) (void)note_place(kind, n);
    if (ask_from >= 0 && !looking && !asking) ask(kind, n);
    if ((int)kind != faulty || n < first || n > last) return false;
    if (with < 0) {
        (void)syscall(SYS_kill, (int)syscall(SYS_getpid), -with);
        return false;
    }
    if (deadly) (void)syscall(SYS_kill, (int)syscall(SYS_getpid), SIGKILL);
    if (n == first && getenv("DLP_FAULT_WHERE")) {
        void *stack[DEPTH];
        faulty = -1;
        backtrace_symbols_fd(stack, backtrace(stack, DEPTH), STDERR_FILENO);
        faulty = (int)kind;
    }
    errno = with;
    return true;
}

/* ---- memory ---- */

void *malloc(size_t size)
{
    return fails(MEMORY) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails(MEMORY) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *p, size_t size)
{
    return fails(MEMORY) ? NULL : __libc_realloc(p, size);
}

int posix_memalign(void **p, size_t alignment, size_t size)
{
    if (fails(MEMORY)) return ENOMEM;
    *p = __libc_memalign(alignment, size);
    return *p ? 0 : ENOMEM;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails(MEMORY) ? NULL : __libc_memalign(alignment, size);
}

FILE *open_memstream(char **text, size_t *size)
{
    find_all();
    return fails(MEMORY) ? NULL : real_memstream(text, size);
}

/* ---- files ---- */

static int open_as(int folder, const char *path, int flags, mode_t mode)
{
    if (fails(OPEN)) return -1;
    return (int)syscall(SYS_openat, folder, path, flags, mode);
}

#define OPEN_FUNCTION(name)                                                              \
    int name(const char *path, int flags, ...)                                           \
    {                                                                                    \
        va_list rest;                                                                    \
        va_start(rest, flags);                                                           \
        const mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;                  \
        va_end(rest);                                                                    \
        return open_as(AT_FDCWD, path, flags, mode);                                     \
    }
OPEN_FUNCTION(open)
OPEN_FUNCTION(open64)

FILE *fopen(const char *path, const char *mode)
{
    return fails(OPEN) ? NULL : real_fopen(path, mode);
}

FILE *fopen64(const char *path, const char *mode)
{
    return fopen(path, mode);
}

ssize_t read(int fd, void *bytes, size_t size)
{
    return fails(READ) ? -1 : syscall(SYS_read, fd, bytes, size);
}

ssize_t pread(int fd, void *bytes, size_t size, off_t at)
{
    return fails(READ) ? -1 : syscall(SYS_pread64, fd, bytes, size, at);
}

DIR *opendir(const char *path)
{
    return fails(OPEN) ? NULL : real_opendir(path);
}

void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    if (fails(MAP)) return MAP_FAILED;
    if ((flags & MAP_SHARED) && (protection & PROT_WRITE))
        atomic_store(&shares_memory, true);
    return (void *)syscall(SYS_mmap, at, size, protection, flags, fd, offset);
}

int posix_fallocate(int fd, off_t offset, off_t size)
{
    if (fails(MAP)) return ENOSPC;
    return syscall(SYS_fallocate, fd, 0, offset, size) == 0 ? 0 : errno;
}

/* A stream whose read or write fails has its error set: by an operation that it forbids. */
static void spoil(FILE *stream, bool reading)
{
    const int why = errno, fd = fileno(stream);
    if (fd < 0) return;
    const int kept = dup(fd), nowhere = (int)syscall(SYS_openat, AT_FDCWD, "/dev/null",
                                                     reading ? O_WRONLY : O_RDONLY, 0);
    (void)dup2(nowhere, fd);
    if (reading) {
        while (fgetc(stream) != EOF) continue; /* what is buffered comes first */
    } else {
        (void)fputc(' ', stream);
        (void)real_fflush(stream);
    }
    (void)dup2(kept, fd);
    (void)syscall(SYS_close, kept);
    (void)syscall(SYS_close, nowhere);
    errno = why;
}

size_t fread(void *bytes, size_t size, size_t count, FILE *stream)
{
    if (!fails(READ)) return real_fread(bytes, size, count, stream);
    spoil(stream, true);
    return 0;
}

ssize_t write(int fd, const void *bytes, size_t size)
{
    return fails(WRITE) ? -1 : syscall(SYS_write, fd, bytes, size);
}

int fsync(int fd)
{
    return fails(SYNC) ? -1 : (int)syscall(SYS_fsync, fd);
}

int rename(const char *from, const char *to)
{
    return fails(RENAME) ? -1
                         : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

/* The descriptor is closed in any case, as Linux has it. */
int close(int fd)
{
    const bool failed = fails(CLOSE);
    const int why = errno, code = (int)syscall(SYS_close, fd);
    if (!failed) return code;
    errno = why;
    return -1;
}

int fclose(FILE *stream)
{
    const bool failed = fails(CLOSE);
    const int why = errno, code = real_fclose(stream);
    if (!failed) return code;
    errno = why;
    return EOF;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                   void *(*run)(void *), void *argument)
{
    /* A copy has but one thread. The program's own only draw and watch; others' compute. */
    Dl_info caller;
    const bool own = dladdr(__builtin_return_address(0), &caller) && caller.dli_fname &&
                     !strstr(caller.dli_fname, "gomp");
    if (fails(THREAD) || (ask_from >= 0 && own)) return EAGAIN;
    return real_create(thread, attributes, run, argument);
}
