# How the library's own code is compiled.
target_compile_features(proxel PUBLIC cxx_std_20)
set_target_properties(proxel PROPERTIES
  CXX_EXTENSIONS OFF
  POSITION_INDEPENDENT_CODE ON
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR})

# The contract: one rounding per operation, nothing reassociated, no contraction.
set(PROXEL_CXX_FLAGS -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion
                     -Wno-missing-field-initializers
                     -ffp-contract=off -fno-fast-math)
if(PROXEL_WARNINGS_AS_ERRORS)
  list(APPEND PROXEL_CXX_FLAGS -Werror)
endif()
target_compile_options(proxel PRIVATE $<$<COMPILE_LANGUAGE:CXX>:${PROXEL_CXX_FLAGS}>)

# The version, for programs that include it.
configure_file(${PROJECT_SOURCE_DIR}/cmake/version.h.in
               ${PROJECT_BINARY_DIR}/generated/include/proxel/version.h @ONLY)
target_include_directories(proxel PUBLIC
  $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated/include>)

# Every pass has a parameter header; the list of names is made from them, so a
# new pass needs no table to be edited.
file(GLOB pass_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/core/include/proxel/passes/*.h)
set(pass_lines "")
foreach(header IN LISTS pass_headers)
  get_filename_component(pass ${header} NAME_WE)
  if(NOT pass STREQUAL "types")
    string(APPEND pass_lines "PROXEL_PASS(${pass})\n")
  endif()
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/proxel_pass_names.inc CONTENT "${pass_lines}")
target_include_directories(proxel PRIVATE ${PROJECT_BINARY_DIR}/generated ${PROJECT_SOURCE_DIR}/core)
