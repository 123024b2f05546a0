#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Installs the build into a folder of its own and uses it from outside, in every way it
# offers. Usage: test_install.sh BUILD-FOLDER SOURCE-FOLDER

set -euo pipefail
build=$1 source=$2
if grep -qE '^DELAPLACE_(SANITIZE|COVERAGE):BOOL=ON' "$build/CMakeCache.txt"; then
    echo "skipped: an instrumented library is not one to install"
    exit 77
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix="$work/some where" # a space, to be sure
cmake --install "$build" --prefix "$prefix" >"$work/log"

fail() {
    echo "test_install: $*" >&2
    exit 1
}

library=$(find "$prefix" -name 'libdelaplace.so')
[[ -n $library ]] || fail "no shared library was installed"
libdir=$(dirname "$library")

for file in bin/delaplace include/delaplace.h include/delaplace/version.h \
    share/bash-completion/completions/delaplace share/zsh/site-functions/_delaplace \
    share/delaplace/packages.ldac share/doc/delaplace/copyright; do
    [[ -s $prefix/$file ]] || fail "$file was not installed"
done
if grep -q '^LOWDOWN:FILEPATH=/' "$build/CMakeCache.txt"; then
    for page in $("$prefix/bin/delaplace" __man); do
        [[ -s $prefix/share/man/man1/$page.1 ]] || fail "no man page $page.1"
    done
fi

# The pages of the C library: one per header, and one per function that leads there.
for page in delaplace dlp_fit dlp_fit_run; do
    [[ -s $prefix/share/man/man3/$page.3 ]] || fail "no man page $page.3"
done

# The documents, and what they link. Headers and data are where programs look for them.
documents=$prefix/share/doc/delaplace
for name in "$source"/README.md "$source"/docs/*.md "$source"/docs/images/*; do
    [[ -s $documents/${name#"$source/"} ]] || fail "${name#"$source/"} was not installed"
done
while IFS=: read -r document link; do
    case $link in
    '#'* | *:* | *include/* | *data/* | LICENSE | CONTRIBUTING.md | CHANGELOG.md) continue ;;
    esac
    [[ -e $(dirname "$document")/${link%%#*} ]] || fail "$document links $link, which is not there"
done < <(grep -rho --include='*.md' -H ']([^) ]*)' "$documents" | sed 's/:](/:/; s/)$//')

# Internal headers and templates are not installed.
extra=$(find "$prefix/include" -type f ! -path '*/delaplace.h' ! -path '*/delaplace/*.h')
[[ -z $extra ]] || fail "installed but not public: $extra"

# The shared library shows the public functions and nothing else.
strangers=$(nm -D --defined-only "$library" | awk '$3 !~ /^dlp_/ {print $3}')
[[ -z $strangers ]] || fail "exported without the prefix dlp_: $strangers"
soname=$(objdump -p "$library" | awk '$1 == "SONAME" {print $2}')
[[ $soname == libdelaplace.so.[0-9]* ]] || fail "SONAME is '$soname'"

# The program finds its library, in a prefix the loader does not know.
"$prefix/bin/delaplace" --version >/dev/null || fail "the installed program does not run"

# And its data; the demo stops at once, for want of a folder.
: >"$work/wall"
if "$prefix/bin/delaplace" demo -o "$work/wall" >"$work/log" 2>&1; then
    fail "the demo writes below a file"
fi
grep -qF "topics fit '$prefix/share/delaplace/packages.ldac'" "$work/log" || {
    cat "$work/log"
    fail "the installed program does not find its data"
}

expected='converged: '
# check_output NAME COMMAND...: the example runs and converges.
check_output() {
    local name=$1 output
    shift
    output=$("$@") || fail "$name does not run"
    [[ $output == "$expected"* ]] || fail "$name printed '$output'"
    echo "$name: $output"
}

# By find_package, both libraries.
cmake -S "$source/examples/link" -B "$work/link" -G Ninja \
    -DCMAKE_PREFIX_PATH="$prefix" >"$work/log" 2>&1 || {
    cat "$work/log"
    fail "find_package does not find the library"
}
cmake --build "$work/link" >"$work/log" 2>&1 || {
    cat "$work/log"
    fail "the CMake package does not link"
}
check_output "find_package, shared" "$work/link/die"
check_output "find_package, static" "$work/link/die_static"
if ldd "$work/link/die_static" | grep -q libdelaplace; then
    fail "die_static needs the shared library"
fi

# The examples that are installed, all of them.
if ! { cmake -S "$documents/examples" -B "$work/examples" -G Ninja \
    -DCMAKE_PREFIX_PATH="$prefix" && cmake --build "$work/examples"; } >"$work/log" 2>&1; then
    cat "$work/log"
    fail "the installed examples do not build"
fi
check_output "an installed example" "$work/examples/positive_rate"

# By pkg-config, both libraries. pkg-config writes for a shell: eval reads its quotes.
export PKG_CONFIG_PATH="$libdir/pkgconfig"
compile=(cc -std=c11 -Wall -Wextra -Werror "$source/examples/link/die.c")
eval "flags=($(pkg-config --cflags --libs delaplace))"
# shellcheck disable=SC2154 # set by eval
"${compile[@]}" "${flags[@]}" -o "$work/die" || fail "pkg-config does not link"
check_output "pkg-config, shared" env LD_LIBRARY_PATH="$libdir" "$work/die"
eval "flags=($(pkg-config --static --cflags --libs delaplace))"
"${compile[@]}" "${flags[@]/#-ldelaplace/-l:libdelaplace.a}" -o "$work/die_static" ||
    fail "pkg-config --static does not link"
check_output "pkg-config, static" "$work/die_static"
if ldd "$work/die_static" | grep -q libdelaplace; then
    fail "pkg-config --static gave a program that needs the shared library"
fi

# A C++ compiler, where there is one, takes the header too.
if command -v c++ >/dev/null; then
    eval "flags=($(pkg-config --cflags delaplace))"
    echo '#include <delaplace.h>' | c++ -x c++ -fsyntax-only -Wall -Werror "${flags[@]}" - ||
        fail "the header is not valid C++"
fi
