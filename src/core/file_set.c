/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files that change together. Each is first written beside its place. Then a journal
 * appears beside the first of them, listing the renames; then each file is renamed into
 * place, and the journal is removed. Until the journal appears nothing has changed; from
 * then on everything has, for readers who call dlpi_file_pending(), even if the writer is
 * killed.
 */
#include "core/file_begun.h"
#include "core/file_journal.h"
#include "core/file_steps.h"

#include "core/core.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One of them. */
typedef struct member {
    char *path; /* as it was named */
    dlpi_output_path place;
    char *temporary; /* beside the target, until it is renamed */
    char *bytes;     /* the content for a pipe or the like, kept until the commit */
    size_t size;
    int first; /* the member that leads its group */
} member;

struct dlp_file_set {
    member *member;
    int members, room;
    char **journal; /* one per leader, once prepared */
};

dlp_status dlp_file_set_alloc(dlp_file_set **set, dlp_error *error)
{
    *set = dlpi_calloc(1, sizeof **set);
    return *set ? DLP_OK : dlpi_no_memory(error, "a list of files");
}

static void free_journals(dlp_file_set *set)
{
    for (int i = 0; set->journal && i < set->members; i++)
        dlpi_unstage(set->journal[i]); /* unless it was renamed into place */
    free(set->journal);
    set->journal = NULL;
}

static void free_member(member *m)
{
    dlpi_unstage(m->temporary);
    free(m->place.target);
    free(m->bytes);
    free(m->path);
}

void dlp_file_set_free(dlp_file_set *set)
{
    if (!set) return;
    free_journals(set);
    for (int i = 0; i < set->members; i++) free_member(&set->member[i]);
    free(set->member);
    free(set);
}

/* ---- writing beside ---- */

static int find_first(const dlp_file_set *set, const char *lead)
{
    for (int i = 0; i < set->members; i++)
        if (!strcmp(set->member[i].path, lead)) return i;
    return set->members;
}

static int fill(member *m, const struct dlpi_piece *piece, int pieces)
{
    const int code = dlpi_find_place(m->path, &m->place);
    if (code) return code;
    if (m->place.target) return dlpi_stage(&m->place, piece, pieces, &m->temporary);
    size_t size = 0;
    for (int i = 0; i < pieces; i++) size += piece[i].size;
    m->bytes = malloc(size + 1);
    if (!m->bytes) return ENOMEM;
    for (int i = 0; i < pieces; i++) {
        if (piece[i].size > 0) memcpy(m->bytes + m->size, piece[i].data, piece[i].size);
        m->size += piece[i].size;
    }
    return 0;
}

static member *new_member(dlp_file_set *set)
{
    if (set->members == set->room) {
        const int room = set->room ? 2 * set->room : 4;
        member *larger = realloc(set->member, (size_t)room * sizeof *larger);
        if (!larger) return NULL;
        set->member = larger;
        set->room = room;
    }
    return memset(&set->member[set->members], 0, sizeof(member));
}

static dlp_status begin_member(dlp_file_set *set, const char *lead, const char *path,
                               member **made, dlp_error *error)
{
    free_journals(set); /* of the smaller set before */
    member *m = new_member(set);
    if (!m) return dlpi_no_memory(error, "a list of files");
    m->path = strdup(path);
    if (!m->path) return dlpi_no_memory(error, "a file's name");
    m->first = lead ? find_first(set, lead) : 0;
    *made = m;
    return DLP_OK;
}

dlp_status dlpi_file_set_take(dlp_file_set *set, const char *lead, const char *path,
                              char *temporary, dlp_error *error)
{
    member *m;
    DLP_TRY(begin_member(set, lead, path, &m, error));
    const int code = dlpi_find_place(path, &m->place);
    if (code || !m->place.target) {
        free_member(m);
        return dlpi_file_report(path, code ? code : EINVAL, error);
    }
    m->temporary = temporary;
    set->members++;
    return DLP_OK;
}

dlp_status dlp_file_set_write(dlp_file_set *set, const char *lead, const char *path,
                              const void *data, size_t size, dlp_error *error)
{
    const struct dlpi_piece piece = {data, size, false};
    if (!set || !path || !*path || (!data && size > 0))
        return dlp_fail(error, DLP_EINVAL, "dlp_file_set_write: needs a path and data");
    return dlpi_file_set_write_pieces(set, lead, path, &piece, 1, error);
}

dlp_status dlpi_file_set_write_pieces(dlp_file_set *set, const char *lead,
                                      const char *path, const struct dlpi_piece *piece,
                                      int pieces, dlp_error *error)
{
    member *m;
    DLP_TRY(begin_member(set, lead, path, &m, error));
    const int code = fill(m, piece, pieces);
    if (!code) {
        set->members++;
        return DLP_OK;
    }
    const dlp_status status = dlpi_file_report(path, code, error);
    free_member(m);
    return status;
}

/* ---- the commit ---- */

static dlp_status write_streams(const dlp_file_set *set, dlp_error *error)
{
    int code = 0, i = 0;
    for (; i < set->members && !code; i++) {
        const member *m = &set->member[i];
        const struct dlpi_piece piece = {m->bytes, m->size, false};
        if (m->bytes) code = dlpi_write_stream(m->path, &m->place, &piece, 1);
    }
    return code ? dlpi_file_report(set->member[i - 1].path, code, error) : DLP_OK;
}

/* Writes the journal of the members that `first` leads beside it, under another name;
   *journal stays NULL if a single rename will do. */
static int prepare(const dlp_file_set *set, int first, char **journal)
{
    struct dlpi_renames list = {0};
    const char *lead = set->member[first].place.target;
    int files = 0, code = 0;
    *journal = NULL;
    for (int i = first; i < set->members && !code; i++) {
        const member *m = &set->member[i];
        if (m->first != first || !m->temporary) continue;
        code = dlpi_renames_add(&list, lead, m->temporary, m->place.target);
        files++;
    }
    if (!code && lead && files > 1) code = dlpi_journal_stage(lead, &list, journal);
    free(list.text);
    return code;
}

/* No longer part of this set. */
static void forget(member *m)
{
    if (m->temporary) dlpi_begun_drop(m->temporary);
    free(m->temporary);
    m->temporary = NULL;
}

static int rename_members(dlp_file_set *set, int first, int *done)
{
    for (int i = first; i < set->members; i++) {
        member *m = &set->member[i];
        if (m->first != first || !m->temporary) continue;
        const int code = dlpi_rename(m->temporary, m->place.target);
        if (code && code != ENOENT)
            return code; /* ENOENT: another process has renamed
                                                    it, following the journal */
        (*done)++;
        forget(m);
    }
    return 0;
}

/* Files that the journal still lists must not be removed: the next writer or reader uses
   them. */
static void leave_to_journal(dlp_file_set *set, int first)
{
    for (int i = first; i < set->members; i++) {
        if (set->member[i].first == first) forget(&set->member[i]);
    }
}

static bool leads(const dlp_file_set *set, int i)
{
    return set->member[i].first == i && set->member[i].place.target;
}

/* Puts all journals in place; if one fails, none stays. */
static int begin_all(const dlp_file_set *set, char *const *journal, int *failed)
{
    int code = 0;
    for (int i = 0; i < set->members && !code; i++) {
        if (leads(set, i))
            code = dlpi_journal_begin(set->member[i].place.target, journal[i]);
        *failed = i;
    }
    for (int i = 0; code && i < *failed; i++)
        if (leads(set, i)) dlpi_journal_end(set->member[i].place.target);
    return code;
}

/* Renames the files into place. If a rename keeps failing, the journal stays with its
   files; if not one succeeded, all journals are removed. */
static int rename_all(dlp_file_set *set, char *const *journal, int *failed)
{
    int code = 0, done = 0;
    for (int i = 0; i < set->members && !code; i++) {
        if (set->member[i].first == i) code = rename_members(set, i, &done);
        *failed = i;
    }
    for (int i = 0; i < set->members; i++) {
        if (!leads(set, i)) continue;
        if (code && done > 0 && i >= *failed && journal[i])
            leave_to_journal(set, i);
        else
            dlpi_journal_end(set->member[i].place.target);
        dlpi_sync_folder(set->member[i].place.target);
    }
    return code;
}

static const char *first_lead(const dlp_file_set *set)
{
    for (int i = 0; i < set->members; i++)
        if (leads(set, i)) return set->member[i].place.target;
    return NULL;
}

static dlp_status commit_all(dlp_file_set *set, char *const *journal, dlp_error *error)
{
    int failed = 0;
    if (set->members == 0) return DLP_OK; /* everything went to streams */
    const char *lead = first_lead(set);
    const int lock = lead ? dlpi_journal_lock(lead) : -1;
    int code = dlpi_commit_begin();
    if (!code) {
        code = begin_all(set, journal, &failed);
        if (!code) code = rename_all(set, journal, &failed);
        dlpi_commit_end();
    }
    if (lock >= 0) (void)close(lock);
    return code ? dlpi_file_report(set->member[failed].path, code, error) : DLP_OK;
}

dlp_status dlp_file_set_prepare(dlp_file_set *set, dlp_error *error)
{
    dlp_status status = DLP_OK;
    free_journals(set);
    set->journal = dlpi_calloc(set->members, sizeof *set->journal);
    if (!set->journal) return dlpi_no_memory(error, "a list of files");
    for (int i = 0; i < set->members && status == DLP_OK; i++)
        if (set->member[i].first == i)
            status = dlpi_file_report(set->member[i].path,
                                      prepare(set, i, &set->journal[i]), error);
    if (status != DLP_OK) free_journals(set);
    return status;
}

dlp_status dlp_file_set_commit(dlp_file_set *set, dlp_error *error)
{
    dlp_status status = set->journal ? DLP_OK : dlp_file_set_prepare(set, error);
    if (status == DLP_OK) status = write_streams(set, error);
    if (status == DLP_OK) status = commit_all(set, set->journal, error);
    free_journals(set);
    return status;
}
