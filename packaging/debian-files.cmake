# Run by cpack on the tree to be packed: what Debian's policy wants besides what
# `cmake --install` puts there. Man pages and changes are compressed, without a time, and
# the static library, which cpack does not strip, goes without debugging information.
set(share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share)
configure_file(${CPACK_CHANGES} ${share}/doc/delaplace/changelog COPYONLY)
file(GLOB pages ${share}/man/man1/*.1)
execute_process(COMMAND gzip -9 -n ${pages} ${share}/doc/delaplace/changelog
  COMMAND_ERROR_IS_FATAL ANY)

file(GLOB_RECURSE archives ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/lib/*.a)
execute_process(COMMAND strip --strip-debug --enable-deterministic-archives ${archives}
  COMMAND_ERROR_IS_FATAL ANY)
