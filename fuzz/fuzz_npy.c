/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/npy.h"

#include "fuzz.h"

/* The header is accepted only when the numbers fill the rest of the file. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (int dims = 1; dims <= 2; dims++) {
        dlp_index shape[2] = {-1, -1};
        size_t start = 0;
        dlp_error error = {0};
        if (fuzz_passes(dlpi_npy_header("fuzz", (const char *)data, size, dims, shape,
                                        &start, &error) == DLP_OK)) {
            const dlp_index columns = dims == 2 ? shape[1] : 1;
            fuzz_expect(start <= size && shape[0] >= 0 && columns >= 0);
            fuzz_expect((size_t)(shape[0] * columns) * sizeof(double) == size - start);
        } else {
            fuzz_expect(error.message[0] != '\0' && shape[0] == -1 && shape[1] == -1);
        }
    }
    return 0;
}
