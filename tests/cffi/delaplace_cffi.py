# SPDX-License-Identifier: BSD-3-Clause
"""The shared library through cffi's ABI mode: of the compiler only the preprocessor is needed.

`ffi, lib = delaplace_cffi.load()` reads the declarations from the public headers, so
nothing is written down twice. Functions that are `static inline` in a header are no symbols
of the library and are left out: call dlp_xxx_settings_init(settings, size) for defaults, as
settings() does.
"""
import os
import re
import subprocess
import tempfile

import cffi


def _headers(folders):
    """The public headers, as programs include them."""
    names = ["delaplace.h"]
    for folder in folders:
        parts = os.path.join(folder, "delaplace")
        names += sorted("delaplace/" + name for name in os.listdir(parts) if name.endswith(".h"))
    return names


def _system_headers(folders):
    """The names of the headers of C that ours include."""
    names = set()
    for folder in folders:
        for header in _headers([folder]):
            path = os.path.join(folder, header)
            if os.path.exists(path):
                with open(path, encoding="utf-8") as text:
                    names.update(re.findall(r"#include <((?!delaplace)[a-z/0-9_]+\.h)>", text.read()))
    return names


def _preprocessed(folders):
    """The public headers after the preprocessor. The headers of C are empty files, as
    cffi knows size_t, int32_t, ... by itself and would stumble over what else they hold."""
    with tempfile.TemporaryDirectory() as empty:
        for name in _system_headers(folders):
            path = os.path.join(empty, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8"):
                pass
        command = ["cc", "-E", "-P", "-x", "c", "-nostdinc", "-U__GNUC__", "-I" + empty]
        command += ["-I" + folder for folder in folders] + ["-"]
        program = "".join("#include <%s>\n" % name for name in _headers(folders))
        return subprocess.run(command, input=program, check=True, text=True,
                              stdout=subprocess.PIPE).stdout


def _without_inline(text):
    """Leaves out the functions that have a body."""
    start = text.find("static inline")
    while start >= 0:
        end = text.index("{", start)
        depth = 1
        while depth:
            end += 1
            depth += {"{": 1, "}": -1}.get(text[end], 0)
        text = text[:start] + text[end + 1:]
        start = text.find("static inline")
    return text


def declarations():
    """The public headers as cffi reads them."""
    return _without_inline(_preprocessed(os.environ["DELAPLACE_INCLUDE"].split(":")))


def load():
    """The pair of cffi: types and functions."""
    ffi = cffi.FFI()
    ffi.cdef(declarations())
    return ffi, ffi.dlopen(os.environ["DELAPLACE_LIBRARY"])


def settings(ffi, lib, name):
    """A new `dlp_NAME_settings` with the library's defaults."""
    made = ffi.new("dlp_%s_settings *" % name)
    getattr(lib, "dlp_%s_settings_init" % name)(made, ffi.sizeof("dlp_%s_settings" % name))
    return made


def checked(ffi, lib, call, *arguments):
    """Calls a function that ends with a dlp_error *; raises what it says."""
    error = ffi.new("dlp_error *")
    status = call(*arguments, error)
    if status != lib.DLP_OK:
        raise RuntimeError(ffi.string(error.message).decode())
