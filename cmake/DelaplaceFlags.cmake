# Compiler flags of every target of this project (never of those that link it).
add_library(delaplace_flags INTERFACE)

target_compile_options(delaplace_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes
  -Wpointer-arith -Wwrite-strings -Wvla -Wformat=2 -Wundef -Wcast-align
  # Loops marked `omp simd` become vector code, and errno would forbid it where they take
  # a root. Never -ffast-math: convergence tests rely on NaN and infinity.
  -fopenmp-simd -fno-math-errno -fno-trapping-math)
target_compile_definitions(delaplace_flags INTERFACE _POSIX_C_SOURCE=200809L)

# The same sources give the same bytes, wherever they lie. Coverage needs the paths.
if(NOT DELAPLACE_COVERAGE)
  target_compile_options(delaplace_flags INTERFACE
    -ffile-prefix-map=${PROJECT_SOURCE_DIR}=. -ffile-prefix-map=${PROJECT_BINARY_DIR}=.)
endif()

if(DELAPLACE_WERROR)
  target_compile_options(delaplace_flags INTERFACE -Werror)
endif()
# With sanitizers a compiler takes almost three times as long for -O2 -g as for this, and
# backtraces need no more than lines. Targets whose own code does little, tests above all, set
# DLP_SMALL: without any optimisation they are compiled three times as fast. The two warnings
# are left to the optimised build: what they guess depends on what was optimised. Checks of
# null pointers and object sizes repeat what AddressSanitizer sees, and with those of pointer
# arithmetic make the compiler take twice as long.
if(DELAPLACE_SANITIZE)
  target_compile_options(delaplace_flags INTERFACE
    $<IF:$<BOOL:$<TARGET_PROPERTY:DLP_SMALL>>,-O0,-O1> -g1 -Wno-format-truncation -Wno-maybe-uninitialized
    -fsanitize=address,undefined -fno-sanitize=null,object-size,pointer-overflow
    -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(delaplace_flags INTERFACE -fsanitize=address,undefined)
endif()
if(DELAPLACE_COVERAGE)
  target_compile_options(delaplace_flags INTERFACE --coverage -O0)
  target_link_options(delaplace_flags INTERFACE --coverage)
endif()
