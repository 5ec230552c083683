# What can be chosen when configuring. AUTO means: if the machine has it.
set(PROXEL_VULKAN AUTO CACHE STRING "Build the Vulkan backend: AUTO, ON or OFF")
set(PROXEL_CUDA AUTO CACHE STRING "Build the CUDA backend: AUTO, ON or OFF")
set(PROXEL_MPI AUTO CACHE STRING "Have the command-line tool search by several processes through MPI: AUTO, ON or OFF")
set_property(CACHE PROXEL_MPI PROPERTY STRINGS AUTO ON OFF)
set(PROXEL_PEERS AUTO CACHE STRING
    "Libraries for processors that benchmarks time beside proxel (FAISS, hnswlib, ANN): AUTO, ON or OFF")
set_property(CACHE PROXEL_PEERS PROPERTY STRINGS AUTO ON OFF)
set_property(CACHE PROXEL_VULKAN PROPERTY STRINGS AUTO ON OFF)
set_property(CACHE PROXEL_CUDA PROPERTY STRINGS AUTO ON OFF)
set(PROXEL_SANITIZERS "" CACHE STRING "Sanitizers for host code, e.g. address,undefined")
option(PROXEL_APPS "Build the command-line tool" ${PROJECT_IS_TOP_LEVEL})
option(PROXEL_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(PROXEL_WARNINGS_AS_ERRORS "Treat warnings in proxel's own code as errors" OFF)
option(PROXEL_FAST_BUILD "Compile several sources at once and headers of libraries once: the whole build is quicker" ON)
option(PROXEL_STANDALONE "Make a shared library that needs nothing beside the C library and zlib: no HDF5, no libzip" OFF)
option(PROXEL_FUZZERS "Build libFuzzer targets (needs clang)" OFF)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

include(ProxelFastBuild)

if(PROXEL_SANITIZERS)
  set(sanitizer_flags -fsanitize=${PROXEL_SANITIZERS} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_compile_options("$<$<NOT:$<COMPILE_LANGUAGE:CUDA>>:${sanitizer_flags}>")
  add_link_options(-fsanitize=${PROXEL_SANITIZERS})
endif()
