/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/file_journal.h"

#include "core/core.h"
#include "core/file_steps.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

static const char head[] = "delaplace renames 1\n";
static const char temporary[] = ".delaplace-"; /* the pattern of dlpi_create_beside's
                                                  names */
enum { LARGEST = 1 << 20 };

/* Uses no heap, since memory may be short when files are half renamed. Empty if it does
   not fit. */
typedef struct journal_path {
    char text[PATH_MAX];
} journal_path;

static journal_path journal_of(const char *lead)
{
    journal_path path;
    const size_t folder = dlpi_folder_length(lead);
    const int size = snprintf(path.text, sizeof path.text, "%.*s.%s.delaplace",
                              (int)folder, lead, lead + folder);
    if (size < 0 || (size_t)size >= sizeof path.text) path.text[0] = '\0';
    return path;
}

/* ---- making ---- */

static bool same_folder(const char *a, const char *b)
{
    const size_t length = dlpi_folder_length(a);
    return length == dlpi_folder_length(b) && !strncmp(a, b, length);
}

/* path as stored in the journal of lead: just its name, or the full path. */
static char *journal_name(const char *lead, const char *path)
{
    char here[PATH_MAX];
    if (same_folder(lead, path)) return strdup(path + dlpi_folder_length(path));
    if (path[0] == '/' || !getcwd(here, sizeof here)) return strdup(path);
    const size_t room = strlen(here) + strlen(path) + 2;
    char *joined = malloc(room);
    if (joined) snprintf(joined, room, "%s/%s", here, path);
    return joined;
}

static int append(struct dlpi_renames *list, const char *bytes, size_t size)
{
    char *larger = realloc(list->text, list->size + size);
    if (!larger) return ENOMEM;
    memcpy(larger + list->size, bytes, size);
    list->text = larger;
    list->size += size;
    return 0;
}

int dlpi_renames_add(struct dlpi_renames *list, const char *lead, const char *from,
                     const char *to)
{
    char *a = journal_name(lead ? lead : from, from);
    char *b = journal_name(lead ? lead : from, to);
    int code = a && b ? 0 : ENOMEM;
    if (!code && list->size == 0) code = append(list, head, sizeof head - 1);
    if (!code) code = append(list, a, strlen(a) + 1);
    if (!code) code = append(list, b, strlen(b) + 1);
    free(a);
    free(b);
    return code;
}

int dlpi_journal_stage(const char *lead, const struct dlpi_renames *list, char **staged)
{
    const struct dlpi_piece piece = {list->text, list->size, false};
    journal_path path = journal_of(lead);
    const dlpi_output_path place = {.descriptor = -1, .target = path.text};
    *staged = NULL;
    return path.text[0] ? dlpi_stage(&place, &piece, 1, staged) : ENAMETOOLONG;
}

/* ---- reading ---- */

/* Our own regular file and no link: in a shared folder, nobody else's journal may move or
   name files. */
static int open_journal(const char *path, struct stat *st)
{
    const int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return -1;
    if (fstat(fd, st) == 0 && S_ISREG(st->st_mode) && st->st_uid == geteuid() &&
        st->st_size <= LARGEST)
        return fd;
    (void)close(fd);
    return -1;
}

static bool read_all(int fd, char *text, size_t size)
{
    while (size > 0) {
        const ssize_t got = read(fd, text, size);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        text += got;
        size -= (size_t)got;
    }
    return true;
}

/* A journal, read pair by pair. */
typedef struct journal {
    const char *lead;
    char *text; /* NULL if there is none that can be trusted */
    const char *at, *end;
    struct timespec made;
    bool unread; /* there may be one, but memory was short */
} journal;

static journal read_journal(const char *lead)
{
    struct stat st;
    journal j = {.lead = lead};
    const int fd = open_journal(journal_of(lead).text, &st);
    if (fd < 0) return j;
    const size_t size = (size_t)st.st_size;
    char *text = malloc(size + 1);
    if (text && read_all(fd, text, size) && size >= sizeof head &&
        !memcmp(text, head, sizeof head - 1) && text[size - 1] == '\0')
        j = (journal){lead, text, text + sizeof head - 1, text + size, st.st_mtim, false};
    else
        free(text);
    j.unread = !text;
    (void)close(fd);
    return j;
}

/* Whether the file was written after the journal, by a writer unaware of it: then it
   stays. */
static bool is_later(const journal *j, const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0) return false;
    return st.st_mtim.tv_sec > j->made.tv_sec ||
           (st.st_mtim.tv_sec == j->made.tv_sec && st.st_mtim.tv_nsec > j->made.tv_nsec);
}

/* The next pair; false at the end. Only files that this library wrote are renamed. */
static bool next_pair(journal *j, char **from, char **to)
{
    const char *pair[2], *lead = j->lead;
    for (int i = 0; i < 2; i++) {
        if (!j->text || j->at >= j->end) return false;
        pair[i] = j->at;
        j->at += strlen(j->at) + 1;
    }
    const char *name = pair[0] + dlpi_folder_length(pair[0]);
    if (strncmp(name, temporary, sizeof temporary - 1) != 0) return false;
    *from = strchr(pair[0], '/') ? strdup(pair[0]) : dlpi_beside(lead, pair[0]);
    *to = strchr(pair[1], '/') ? strdup(pair[1]) : dlpi_beside(lead, pair[1]);
    if (*from && *to) return true;
    j->unread = true;
    free(*from);
    free(*to);
    return false;
}

/* Finishes what a killed writer had begun; a missing file has already been renamed. */
static int finish(const char *lead)
{
    journal j = read_journal(lead);
    char *from, *to;
    while (next_pair(&j, &from, &to)) {
        if (is_later(&j, to))
            (void)unlink(from);
        else
            (void)dlpi_rename(from, to);
        free(from);
        free(to);
    }
    if (j.text && !j.unread) dlpi_journal_end(lead);
    free(j.text);
    return j.unread ? ENOMEM : 0;
}

/* ---- the commit ---- */

/* Two writers of the same files take turns, if the file system has locks; one that does
   not get its turn within a second goes on. */
int dlpi_journal_lock(const char *lead)
{
    const struct timespec wait = {.tv_nsec = 20000000};
    char *folder = dlpi_beside(lead, ".");
    const int fd = folder ? open(folder, O_RDONLY | O_CLOEXEC) : -1;
    free(folder);
    for (int i = 0; fd >= 0 && i < 50; i++) {
        if (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) break;
        (void)nanosleep(&wait, NULL);
    }
    return fd;
}

int dlpi_journal_begin(const char *lead, const char *staged)
{
    int code = finish(lead);
    if (code || !staged) return code;
    code = dlpi_rename(staged, journal_of(lead).text);
    if (!code) dlpi_sync_folder(lead);
    return code;
}

void dlpi_journal_end(const char *lead)
{
    (void)unlink(journal_of(lead).text); /* which may not be there */
}

/* ---- for readers ---- */

/* The file behind the links at path. */
static char *resolve(const char *path)
{
    dlpi_output_path place;
    const int code = dlpi_find_place(path, &place);
    if (code == ENOMEM) return NULL;
    return !code && place.target ? place.target : strdup(path);
}

/* Whether two paths name the same file, which need not exist; folders may be spelt in two
   ways. */
static bool same_name(const char *a, const char *b)
{
    return !strcmp(a + dlpi_folder_length(a), b + dlpi_folder_length(b));
}

char *dlpi_file_pending(const char *lead, const char *path)
{
    char *leader = resolve(lead), *wanted = resolve(path), *from, *to, *found = NULL;
    journal j = leader && wanted ? read_journal(leader) : (journal){.unread = true};
    while (wanted && !found && next_pair(&j, &from, &to)) {
        if (same_name(to, wanted) && !is_later(&j, to) && access(from, F_OK) == 0)
            found = from;
        else
            free(from);
        free(to);
    }
    free(j.text);
    free(leader);
    free(wanted);
    if (!found && j.unread) return NULL;
    return found ? found : strdup(path);
}

struct dlpi_file_state dlpi_file_state_of(const char *lead)
{
    struct dlpi_file_state state;
    char *leader = resolve(lead);
    memset(&state, 0, sizeof state);
    if (stat(lead, &state.lead) != 0) memset(&state.lead, 0, sizeof state.lead);
    if (!leader || lstat(journal_of(leader).text, &state.journal) != 0)
        memset(&state.journal, 0, sizeof state.journal);
    free(leader);
    return state;
}

static bool same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
           a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

bool dlpi_file_state_same(const struct dlpi_file_state *a,
                          const struct dlpi_file_state *b)
{
    return same_file(&a->lead, &b->lead) && same_file(&a->journal, &b->journal);
}
