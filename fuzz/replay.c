/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a fuzzer once over each file of a folder: the regression test of its seeds, with
   any compiler. */
#include "fuzz.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>

static bool replay(const char *path)
{
    static uint8_t data[1 << 20];
    FILE *f = fopen(path, "rb");
    if (!f) return false;
    const size_t size = fread(data, 1, sizeof data, f);
    fclose(f);
    LLVMFuzzerTestOneInput(data, size);
    return true;
}

/* Only what LLVMFuzzerCustomMutator needs to be linked: files are replayed as they are. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most)
{
    (void)data;
    (void)most;
    return size;
}

int main(int argc, char **argv)
{
    int files = 0;
    DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
    if (!folder) {
        fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
        return 2;
    }
    for (struct dirent *entry; (entry = readdir(folder));) {
        char path[PATH_MAX];
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name);
        if (!replay(path)) {
            perror(path);
            return 1;
        }
        files++;
    }
    closedir(folder);
    printf("%d inputs\n", files);
    return files == 0;
}
