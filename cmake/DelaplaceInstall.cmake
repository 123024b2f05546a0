# What `cmake --install` puts where: program, data, man pages and completion; libraries,
# headers, and the two ways by which other programs find the library.
include(CMakePackageConfigHelpers)

# The pages and scripts come out of the program itself, so that they say what it does.
set(generated ${PROJECT_BINARY_DIR}/generated)
find_program(LOWDOWN lowdown)
if(NOT LOWDOWN)
  message(STATUS "lowdown not found: the man pages will not be made")
endif()
add_custom_command(
  OUTPUT ${generated}/stamp
  COMMAND ${CMAKE_COMMAND}
    -DPROGRAM=$<TARGET_FILE:delaplace_cli> -DLOWDOWN=${LOWDOWN} -DOUTPUT=${generated}
    -P ${PROJECT_SOURCE_DIR}/cmake/GenerateDocs.cmake
  DEPENDS delaplace_cli ${PROJECT_SOURCE_DIR}/cmake/GenerateDocs.cmake
  COMMENT "Man pages and completion"
  VERBATIM)
add_custom_target(delaplace_docs ALL DEPENDS ${generated}/stamp)

# Those of the C library (section 3) come out of its headers.
find_program(AWK awk REQUIRED)
file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/delaplace/*.h)
list(PREPEND headers ${PROJECT_SOURCE_DIR}/include/delaplace.h)
list(APPEND headers ${PROJECT_BINARY_DIR}/include/delaplace/version.h)
add_custom_command(
  OUTPUT ${generated}/man3/delaplace.3
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${generated}/man3
  COMMAND ${CMAKE_COMMAND} -E make_directory ${generated}/man3
  COMMAND ${AWK} -v out=${generated}/man3 -v version=${PROJECT_VERSION}
    -f ${PROJECT_SOURCE_DIR}/cmake/man3.awk ${headers}
  DEPENDS ${headers} ${PROJECT_SOURCE_DIR}/cmake/man3.awk
  COMMENT "Man pages of the C library"
  VERBATIM)
add_custom_target(delaplace_man3 ALL DEPENDS ${generated}/man3/delaplace.3)

install(TARGETS delaplace_cli)
install(DIRECTORY data/ DESTINATION ${CMAKE_INSTALL_DATADIR}/delaplace)
install(DIRECTORY ${generated}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
install(FILES ${generated}/delaplace.bash RENAME delaplace
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${generated}/_delaplace
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
# The documents, with what they link.
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs study bench DESTINATION ${CMAKE_INSTALL_DOCDIR}
  FILES_MATCHING PATTERN "*.md" PATTERN "docs/images/*")

# The static program stands alone.
if(DELAPLACE_STATIC)
  return()
endif()

install(TARGETS delaplace_shared delaplace_static EXPORT delaplaceTargets)
if(TARGET delaplace_mpi)
  install(TARGETS delaplace_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(DIRECTORY ${generated}/man3 DESTINATION ${CMAKE_INSTALL_MANDIR})
# The example programs, with a CMakeLists.txt that builds them against what is installed.
file(GLOB examples CONFIGURE_DEPENDS examples/*.c)
install(FILES ${examples} DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
install(DIRECTORY examples/link DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
install(FILES examples/installed.cmake RENAME CMakeLists.txt
  DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
# The program finds the library of its own prefix, wherever that is.
file(RELATIVE_PATH to_library
  ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set_target_properties(delaplace_cli PROPERTIES INSTALL_RPATH "$ORIGIN/${to_library}")
install(FILES include/delaplace.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/delaplace ${PROJECT_BINARY_DIR}/include/delaplace
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")

# find_package(delaplace): delaplace::delaplace and delaplace::delaplace_static.
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/delaplace)
install(EXPORT delaplaceTargets NAMESPACE delaplace:: DESTINATION ${package_dir})
configure_package_config_file(
  cmake/delaplaceConfig.cmake.in ${generated}/delaplaceConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(
  ${generated}/delaplaceConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${generated}/delaplaceConfig.cmake ${generated}/delaplaceConfigVersion.cmake
  DESTINATION ${package_dir})

# pkg-config delaplace. Its paths start from where the file stands, so that an installed
# tree may be moved, and --prefix given at install time works.
file(RELATIVE_PATH PC_PREFIX
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
if(DELAPLACE_COMPRESSION)
  string(APPEND PC_OPTIONAL " libzstd liblzma zlib")
endif()
if(DELAPLACE_TEXT)
  string(APPEND PC_OPTIONAL " libutf8proc")
  set(PC_STEMMER " -lstemmer")
  if(DELAPLACE_ICU)
    string(APPEND PC_OPTIONAL " icu-uc")
  endif()
  if(DELAPLACE_LIBXML2)
    string(APPEND PC_OPTIONAL " libxml-2.0")
  endif()
endif()
if(DELAPLACE_METIS)
  set(PC_METIS " -lmetis")
endif()
configure_file(cmake/delaplace.pc.in ${generated}/delaplace.pc @ONLY)
install(FILES ${generated}/delaplace.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
