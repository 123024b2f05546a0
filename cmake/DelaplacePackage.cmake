# What `cpack -G DEB` makes of an installation: a package for the Debian it is built on.
# script/package builds and tries it.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME delaplace)
set(CPACK_PACKAGE_VENDOR "the delaplace authors")
set(CPACK_PACKAGE_CONTACT "the delaplace authors <authors@delaplace.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Bayesian inference for models that are not conjugate")
file(READ ${PROJECT_SOURCE_DIR}/packaging/description.txt CPACK_PACKAGE_DESCRIPTION)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/packaging/debian-files.cmake)
set(CPACK_POST_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/packaging/debian-trigger.cmake)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
# OpenBLAS has variants. The serial one must not be called from several threads.
set(CPACK_DEBIAN_PACKAGE_DEPENDS libopenblas0-pthread)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_CHANGES ${PROJECT_SOURCE_DIR}/CHANGELOG.md)
include(CPack)
