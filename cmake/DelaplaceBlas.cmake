# BLAS and LAPACK, into DELAPLACE_BLAS_TARGETS, and for other builds into PC_BLAS: OpenBLAS
# where it is, by pkg-config, else any that CMake finds, or the one that DELAPLACE_BLAS names.
string(TOLOWER "${DELAPLACE_BLAS}" blas_choice)
if(blas_choice STREQUAL "auto")
  pkg_check_modules(OPENBLAS IMPORTED_TARGET openblas)
elseif(blas_choice STREQUAL "openblas")
  pkg_check_modules(OPENBLAS REQUIRED IMPORTED_TARGET openblas)
else()
  set(BLA_VENDOR ${DELAPLACE_BLAS})
  set(OPENBLAS_FOUND FALSE)
endif()

if(OPENBLAS_FOUND)
  set(DELAPLACE_BLAS_TARGETS PkgConfig::OPENBLAS)
  list(JOIN OPENBLAS_LDFLAGS " " PC_BLAS)
  if(DELAPLACE_STATIC) # a shared OpenBLAS brings its Fortran along
    target_link_libraries(PkgConfig::OPENBLAS INTERFACE gfortran quadmath)
  endif()
else()
  find_package(BLAS REQUIRED)
  find_package(LAPACK REQUIRED)
  set(DELAPLACE_BLAS_TARGETS LAPACK::LAPACK BLAS::BLAS)
  list(JOIN LAPACK_LIBRARIES " " PC_BLAS)
  if(DELAPLACE_STATIC)
    set_property(TARGET BLAS::BLAS APPEND PROPERTY
      INTERFACE_LINK_LIBRARIES gfortran quadmath m)
  endif()
endif()
