# Run by cpack on the tree to be packed: what Debian's policy wants besides what
# `cmake --install` puts there. Man pages and changes are compressed, without a time;
# sections that nobody reads go, and the static library, which cpack does not strip, goes
# without debugging information.
set(share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share)
set(changes ${share}/doc/delaplace/changelog)
configure_file(${CPACK_CHANGES} ${changes} COPYONLY)
set(version ${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # that of SOURCE_DATE_EPOCH
configure_file(${CMAKE_CURRENT_LIST_DIR}/debian-changelog.in ${changes}.Debian @ONLY)
configure_file(${CMAKE_CURRENT_LIST_DIR}/lintian-overrides
  ${share}/lintian/overrides/delaplace COPYONLY)
file(GLOB pages ${share}/man/man1/*.1 ${share}/man/man3/*.3)
execute_process(COMMAND gzip -9 -n ${pages} ${changes} ${changes}.Debian
  COMMAND_ERROR_IS_FATAL ANY)

set(usr ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr)
file(GLOB_RECURSE archives ${usr}/lib/*.a)
file(GLOB_RECURSE binaries ${usr}/bin/delaplace ${usr}/lib/*.so.${CPACK_PACKAGE_VERSION})
execute_process(COMMAND strip --strip-debug --enable-deterministic-archives
    --remove-section=.comment ${archives}
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND strip --remove-section=.comment ${binaries}
  COMMAND_ERROR_IS_FATAL ANY)
