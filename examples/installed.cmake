# The example programs, built against the installed library; installed as CMakeLists.txt
# beside them (examples/CMakeLists.txt of the project builds them with the library):
#   cmake -S /usr/share/doc/delaplace/examples -B build && cmake --build build
#   build/positive_rate
# With the library installed elsewhere: cmake -DCMAKE_PREFIX_PATH=/where/it/is ...
cmake_minimum_required(VERSION 3.16)
project(delaplace_examples LANGUAGES C)

find_package(delaplace 0.1 REQUIRED)

file(GLOB programs ${CMAKE_CURRENT_SOURCE_DIR}/*.c)
foreach(program IN LISTS programs)
  get_filename_component(name ${program} NAME_WE)
  add_executable(${name} ${program})
  target_link_libraries(${name} PRIVATE delaplace::delaplace m)
endforeach()
