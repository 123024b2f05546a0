/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files that appear whole or not at all. Real failures are provoked where the system
 * lets us (limits, permissions, /dev/full); the rest comes from write, fsync and
 * rename, which the linker wraps.
 */
#include <delaplace/file.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* What the wrapped calls do in the running test. */
static struct {
    int interruptions; /* calls of write and fsync that fail with EINTR */
    size_t most;       /* bytes that a write takes at most; 0: all */
    int write_errno;   /* once `most` bytes are through; 0: never */
    int fsync_errno;
    int rename_errno;
    int end_at; /* the process ends here as by a signal; 0: nowhere */
} fault;
enum { AT_FSYNC = 1, AT_RENAME };

/* The linker gives these names. */
/* NOLINTBEGIN(bugprone-reserved-identifier) */
ssize_t __real_write(int fd, const void *data, size_t size);
ssize_t __wrap_write(int fd, const void *data, size_t size);
int __real_fsync(int fd);
int __wrap_fsync(int fd);
int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);
/* NOLINTEND(bugprone-reserved-identifier) */

static int fail_with(int code)
{
    errno = code;
    return -1;
}

/* What a thread that watches sees during the calls. */
static dlp_file_call seen[8];
static int n_seen;

static void look(void)
{
    if (n_seen < (int)(sizeof seen / sizeof *seen))
        n_seen += dlp_file_waits(&seen[n_seen]) != 0;
}

ssize_t __wrap_write(int fd, const void *data, size_t size)
{
    static bool cut;
    look();
    if (fault.interruptions > 0 && fault.interruptions--) return fail_with(EINTR);
    if (cut && fault.write_errno) {
        cut = false;
        return fail_with(fault.write_errno);
    }
    cut = fault.most > 0 && size > fault.most;
    return __real_write(fd, data, cut ? fault.most : size);
}

/* What a handler of signals does. */
static void end_here(int place)
{
    if (fault.end_at == place && dlp_file_abandon()) _exit(0);
}

int __wrap_fsync(int fd)
{
    look();
    end_here(AT_FSYNC);
    if (fault.interruptions > 0 && fault.interruptions--) return fail_with(EINTR);
    return fault.fsync_errno ? fail_with(fault.fsync_errno) : __real_fsync(fd);
}

int __wrap_rename(const char *from, const char *to)
{
    look();
    end_here(AT_RENAME);
    return fault.rename_errno ? fail_with(fault.rename_errno) : __real_rename(from, to);
}

static char folder[] = "/tmp/delaplace-test-file-XXXXXX";
static char target[PATH_MAX];
static const char before[] = "what was there before";
static const char after[] = "the new content, longer than what was there before";

struct path {
    char text[PATH_MAX];
};

static struct path in_folder(const char *name)
{
    struct path path;
    snprintf(path.text, sizeof path.text, "%s/%s", folder, name);
    return path;
}

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder)) return -1;
    snprintf(target, sizeof target, "%s/target", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

static void put(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, strlen(text), f), strlen(text));
    assert_int_equal(fclose(f), 0);
}

static void assert_content(const char *path, const char *text)
{
    char found[4096];
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    found[fread(found, 1, sizeof found - 1, f)] = '\0';
    fclose(f);
    assert_string_equal(found, text);
}

/* A test begins with the target alone in the folder, and ends so too. */
static int start(void **state)
{
    (void)state;
    memset(&fault, 0, sizeof fault);
    put(target, before);
    return 0;
}

static int finish(void **state)
{
    (void)state;
    memset(&fault, 0, sizeof fault);
    int others = 0;
    DIR *d = opendir(folder);
    for (struct dirent *e; (e = readdir(d));)
        others += e->d_name[0] != '.' ? strcmp(e->d_name, "target") != 0
                                      : strlen(e->d_name) > 2;
    closedir(d);
    return unlink(target) != 0 || others > 0 ? -1 : 0;
}

static dlp_status write_text(const char *path, const char *text, dlp_error *error)
{
    return dlp_file_write(path, text, strlen(text), error);
}

/* Writing to path fails as told, the message names it, and the target is untouched. */
static void assert_failure(const char *path, dlp_status status, int code)
{
    dlp_error error = {0};
    assert_int_equal(write_text(path, after, &error), status);
    memset(&fault, 0, sizeof fault);
    assert_non_null(strstr(error.message, path));
    assert_non_null(strstr(error.message, strerror(code)));
    assert_non_null(strstr(error.message, "; "));
    assert_content(target, before);
}

static void a_file_is_made_and_replaced(void **state)
{
    (void)state;
    assert_int_equal(unlink(target), 0);
    assert_int_equal(write_text(target, before, NULL), DLP_OK);
    assert_content(target, before);
    assert_int_equal(write_text(target, after, NULL), DLP_OK);
    assert_content(target, after);
    assert_int_equal(dlp_file_write(target, NULL, 0, NULL), DLP_OK);
    assert_content(target, "");
}

static void a_bare_name_means_the_working_folder(void **state)
{
    (void)state;
    char home[PATH_MAX];
    assert_non_null(getcwd(home, sizeof home));
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(write_text("target", after, NULL), DLP_OK);
    assert_int_equal(chdir(home), 0);
    assert_content(target, after);
}

static mode_t mode_of(const char *path)
{
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    return st.st_mode & 07777;
}

static void permissions_are_kept(void **state)
{
    (void)state;
    static const mode_t modes[] = {0600, 0640, 0666, 0755};
    const mode_t mask = umask(027);
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        assert_int_equal(chmod(target, modes[i]), 0);
        assert_int_equal(write_text(target, after, NULL), DLP_OK);
        assert_int_equal(mode_of(target), modes[i]);
    }
    assert_int_equal(unlink(target), 0);
    assert_int_equal(write_text(target, after, NULL), DLP_OK);
    assert_int_equal(mode_of(target), 0640);
    umask(mask);
}

static void links_are_followed(void **state)
{
    (void)state;
    const struct path one = in_folder("first"), two = in_folder("second");
    const char *const first = one.text, *const second = two.text;
    assert_int_equal(symlink("second", first), 0);
    assert_int_equal(symlink(target, second), 0);
    assert_int_equal(write_text(first, after, NULL), DLP_OK);
    assert_content(target, after);

    /* A link to nothing yet makes its file appear. */
    assert_int_equal(unlink(target), 0);
    assert_int_equal(write_text(first, before, NULL), DLP_OK);
    assert_content(target, before);

    struct stat st;
    assert_int_equal(lstat(first, &st), 0);
    assert_true(S_ISLNK(st.st_mode));

    /* A ring of links leads nowhere. */
    assert_int_equal(unlink(second), 0);
    assert_int_equal(symlink("first", second), 0);
    assert_failure(first, DLP_EIO, ELOOP);
    assert_int_equal(unlink(first), 0);
    assert_int_equal(unlink(second), 0);
}

static void interruptions_and_short_writes_are_overcome(void **state)
{
    (void)state;
    fault.interruptions = 3;
    fault.most = 7;
    assert_int_equal(write_text(target, after, NULL), DLP_OK);
    assert_content(target, after);
    /* Interrupt the sync too: one more time than there are writes. */
    fault.interruptions = 1;
    assert_int_equal(dlp_file_write(target, NULL, 0, NULL), DLP_OK);
    assert_int_equal(fault.interruptions, 0);
}

static void a_failure_at_any_step_leaves_the_file(void **state)
{
    (void)state;
    fault.most = 7;
    fault.write_errno = ENOSPC;
    assert_failure(target, DLP_EIO, ENOSPC);
    fault.fsync_errno = EIO;
    assert_failure(target, DLP_EIO, EIO);
    fault.rename_errno = EXDEV;
    assert_failure(target, DLP_EIO, EXDEV);
}

static void a_wrong_path_is_refused(void **state)
{
    (void)state;
    assert_failure(in_folder("missing/target").text, DLP_EIO, ENOENT);
    assert_failure(in_folder("target/below").text, DLP_EIO, ENOTDIR);
    assert_failure(in_folder("target/").text, DLP_EIO, ENOTDIR);
    assert_failure(folder, DLP_EIO, EISDIR);
    assert_failure("/", DLP_EIO, EISDIR);

    dlp_error error = {0};
    assert_int_equal(dlp_file_write(NULL, "x", 1, &error), DLP_EINVAL);
    assert_int_equal(dlp_file_write("", "x", 1, &error), DLP_EINVAL);
    assert_int_equal(dlp_file_write(target, NULL, 1, &error), DLP_EINVAL);
    assert_true(strlen(error.message) > 0);
    assert_int_equal(dlp_file_write(folder, "x", 1, NULL), DLP_EIO);
}

static void no_permission_is_respected(void **state)
{
    (void)state;
    /* Permissions do not bind root: be somebody else for a while. */
    const uid_t nobody = 65534, self = geteuid();
    if (self == 0) {
        assert_int_equal(chown(folder, nobody, (gid_t)-1), 0);
        assert_int_equal(chown(target, nobody, (gid_t)-1), 0);
        assert_int_equal(seteuid(nobody), 0);
    }
    assert_int_equal(chmod(target, 0444), 0);
    assert_failure(target, DLP_EIO, EACCES);
    assert_int_equal(chmod(target, 0644), 0);
    assert_int_equal(chmod(folder, 0555), 0);
    assert_failure(target, DLP_EIO, EACCES);
    assert_int_equal(chmod(folder, 0755), 0);
    if (self == 0) assert_int_equal(seteuid(self), 0);
}

static void a_limit_on_size_is_a_failure_not_a_loss(void **state)
{
    (void)state;
    struct rlimit old;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    const struct rlimit tight = {.rlim_cur = 10, .rlim_max = old.rlim_max};
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
    dlp_error error = {0};
    const dlp_status status = write_text(target, after, &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, handler);
    assert_int_equal(status, DLP_EIO);
    assert_non_null(strstr(error.message, strerror(EFBIG)));
    assert_content(target, before);
}

static void a_full_device_is_a_failure(void **state)
{
    (void)state;
    struct stat st;
    if (stat("/dev/full", &st) != 0) skip();
    assert_failure("/dev/full", DLP_EIO, ENOSPC);
    assert_int_equal(stat("/dev/full", &st), 0);
    assert_true(S_ISCHR(st.st_mode));
}

static void pipes_are_written_in_place(void **state)
{
    (void)state;
    char got[sizeof after] = "";
    const struct path pipe = in_folder("pipe");
    assert_int_equal(mkfifo(pipe.text, 0600), 0);
    const int fd = open(pipe.text, O_RDWR); /* so that opening to write need not wait */
    assert_true(fd >= 0);
    assert_int_equal(write_text(pipe.text, after, NULL), DLP_OK);
    assert_int_equal(read(fd, got, sizeof after), strlen(after));
    assert_string_equal(got, after);
    assert_int_equal(close(fd), 0);
    assert_int_equal(unlink(pipe.text), 0);
}

/* A name of an open descriptor continues where that descriptor is. */
static void descriptors_go_on_where_they_stand(void **state)
{
    (void)state;
    fflush(stdout);
    const int saved = dup(STDOUT_FILENO), fd = open(target, O_WRONLY | O_APPEND);
    assert_true(saved >= 0 && fd >= 0);
    assert_int_equal(dup2(fd, STDOUT_FILENO), STDOUT_FILENO);
    char name[32];
    snprintf(name, sizeof name, "/dev/fd/%d", fd);
    const dlp_status first = write_text("/dev/stdout", ", one", NULL);
    const dlp_status second = write_text(name, ", two", NULL);
    assert_int_equal(dup2(saved, STDOUT_FILENO), STDOUT_FILENO);
    close(saved);
    close(fd);
    assert_int_equal(first, DLP_OK);
    assert_int_equal(second, DLP_OK);
    assert_content(target, "what was there before, one, two");
    put(target, before);
    assert_failure("/dev/fd/987654", DLP_EIO, EBADF);
}

/* Ends a child that writes one file, then a set of two, at a place; finish() looks that
   nothing is left. */
static void end_child_at(int place, bool set)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child > 0) {
        int status = -1;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
        return;
    }
    const struct path other = in_folder("other");
    dlp_file_set *files = NULL;
    fault.end_at = place;
    if (!set) _exit(write_text(target, after, NULL) != DLP_OK);
    bool good = dlp_file_set_alloc(&files, NULL) == DLP_OK;
    good = good &&
           dlp_file_set_write(files, NULL, target, after, strlen(after), NULL) == DLP_OK;
    good = good && dlp_file_set_write(files, NULL, other.text, "x", 1, NULL) == DLP_OK;
    _exit(!good || dlp_file_set_commit(files, NULL) != DLP_OK);
}

/* Before the commit a signal leaves the old files, within it the new ones. */
static void a_process_that_ends_leaves_nothing_half_done(void **state)
{
    (void)state;
    const struct path other = in_folder("other");
    for (int set = 0; set < 2; set++) {
        end_child_at(AT_FSYNC, set);
        assert_content(target, before);
        assert_int_equal(access(other.text, F_OK), -1);
        end_child_at(AT_RENAME, set);
        assert_content(target, after);
        if (set) assert_int_equal(unlink(other.text), 0);
        put(target, before);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, finish)

/* dlp_file_try says beforehand what a write would say, and leaves nothing behind. */
static void trying_tells_what_writing_would(void **state)
{
    (void)state;
    char fresh[] = "/tmp/delaplace-try-XXXXXX", name[64];
    assert_non_null(mkdtemp(fresh));
    snprintf(name, sizeof name, "%s/new", fresh);
    assert_int_equal(dlp_file_try(name, NULL), DLP_OK);
    assert_int_equal(access(name, F_OK), -1);
    assert_int_equal(rmdir(fresh), 0); /* nothing is left in it */
    dlp_error error = {0};
    assert_int_equal(dlp_file_try(name, &error), DLP_EIO);
    assert_non_null(strstr(error.message, "create its folder first"));
    assert_int_equal(dlp_file_try("/tmp", &error), DLP_EIO);
    assert_non_null(strstr(error.message, "name a file inside the folder"));
    assert_int_equal(dlp_file_try("/dev/null", NULL), DLP_OK);
    assert_int_equal(dlp_file_try("", NULL), DLP_EINVAL);
}

/* While a handler of signals in another thread ends the program. */
static void a_call_that_may_hang_can_be_watched(void **state)
{
    (void)state;
    static char large[((size_t)1 << 24) + 1];
    dlp_error error = {0};
    n_seen = 0;
    assert_int_equal(dlp_file_write("watched", large, sizeof large, &error), DLP_OK);
    /* two parts, then the file and its folder are synced, with a rename in between. On Linux
       the file's first part was synced before, which takes a number, too. */
    static const char *const doing[] = {"writing", "writing", "writing", "renaming",
                                        "syncing the folder of"};
    assert_int_equal(n_seen, 5);
    for (int i = 0; i < n_seen; i++) {
        assert_string_equal(seen[i].doing, doing[i]);
        assert_string_equal(seen[i].path, "watched");
        if (i > 0) assert_true(seen[i].number > seen[i - 1].number);
    }
#ifdef __linux__
    assert_true(seen[2].number == seen[1].number + 2);
#endif
    assert_false(dlp_file_waits(&seen[0]));
    assert_int_equal(unlink("watched"), 0);
}

static void nothing_to_rename_is_not_a_failure(void **state)
{
    (void)state;
    int status = -1;
    const pid_t child = fork();
    if (child == 0) {
        dlp_error why = {0};
        dlp_file_set *set = NULL;
        const bool made = dlp_file_set_alloc(&set, &why) == DLP_OK;
        const bool ended = dlp_file_abandon();
        _exit(made && ended && dlp_file_set_commit(set, &why) == DLP_OK ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trying_tells_what_writing_would),
        cmocka_unit_test(nothing_to_rename_is_not_a_failure),
        TEST(a_call_that_may_hang_can_be_watched),
        TEST(a_file_is_made_and_replaced),
        TEST(a_bare_name_means_the_working_folder),
        TEST(permissions_are_kept),
        TEST(links_are_followed),
        TEST(interruptions_and_short_writes_are_overcome),
        TEST(a_failure_at_any_step_leaves_the_file),
        TEST(a_wrong_path_is_refused),
        TEST(no_permission_is_respected),
        TEST(a_limit_on_size_is_a_failure_not_a_loss),
        TEST(a_full_device_is_a_failure),
        TEST(pipes_are_written_in_place),
        TEST(descriptors_go_on_where_they_stand),
        TEST(a_process_that_ends_leaves_nothing_half_done),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
