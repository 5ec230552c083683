# The library in its two forms, of the same objects: proxel is static and has everything
# for those who link it, proxel_shared exports the public interface alone (proxel/export.h).
# proxel::proxel is the one that BUILD_SHARED_LIBS asks for; a project that adds this folder
# does not link the shared one in vain.
set(unused "")
if(NOT PROJECT_IS_TOP_LEVEL)
  set(unused EXCLUDE_FROM_ALL)
endif()
if(BUILD_SHARED_LIBS)
  add_library(proxel STATIC ${unused})
  add_library(proxel_shared SHARED)
  add_library(proxel::proxel ALIAS proxel_shared)
else()
  add_library(proxel STATIC)
  add_library(proxel_shared SHARED ${unused})
  add_library(proxel::proxel ALIAS proxel)
endif()

# How the library's own code is compiled.
target_compile_features(proxel PUBLIC cxx_std_20)
set_target_properties(proxel PROPERTIES
  CXX_EXTENSIONS OFF
  C_VISIBILITY_PRESET hidden
  CXX_VISIBILITY_PRESET hidden
  VISIBILITY_INLINES_HIDDEN ON
  POSITION_INDEPENDENT_CODE ON)

set(exports ${PROJECT_SOURCE_DIR}/cmake/exports.map)
target_sources(proxel_shared PRIVATE $<TARGET_OBJECTS:proxel>)
target_compile_features(proxel_shared PUBLIC cxx_std_20)
target_include_directories(proxel_shared INTERFACE
  $<BUILD_INTERFACE:$<TARGET_PROPERTY:proxel,INTERFACE_INCLUDE_DIRECTORIES>>)
target_link_options(proxel_shared PRIVATE LINKER:--as-needed LINKER:--version-script=${exports})
if(NOT PROXEL_SANITIZERS)
  target_link_options(proxel_shared PRIVATE LINKER:--no-undefined)
endif()
if(PROXEL_STANDALONE)
  target_link_options(proxel_shared PRIVATE -static-libstdc++ -static-libgcc)
endif()
set_target_properties(proxel_shared PROPERTIES
  OUTPUT_NAME proxel
  LINKER_LANGUAGE CXX
  LINK_DEPENDS ${exports}
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR})

# What both link: proxel_uses(<libraries>)
function(proxel_uses)
  foreach(form proxel proxel_shared)
    target_link_libraries(${form} PRIVATE ${ARGN})
  endforeach()
endfunction()

# Objects made elsewhere, which both hold: proxel_objects(<target that makes them> <objects>)
function(proxel_objects maker)
  foreach(form proxel proxel_shared)
    add_dependencies(${form} ${maker})
    target_sources(${form} PRIVATE ${ARGN})
  endforeach()
endfunction()

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

# Every pass has a header; the list of all is made from them.
file(GLOB pass_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/core/include/proxel/passes/*.h)
set(pass_includes "")
set(pass_entries "")
foreach(header IN LISTS pass_headers)
  get_filename_component(pass ${header} NAME_WE)
  # Two have what passes share.
  if(NOT pass MATCHES "^(types|distribution)$")
    string(APPEND pass_includes "#include \"proxel/passes/${pass}.h\"\n")
    string(APPEND pass_entries " F(${pass})")
  endif()
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/proxel_passes.inc
     CONTENT "${pass_includes}#define PROXEL_ALL_PASSES(F)${pass_entries}\n")
target_include_directories(proxel PRIVATE ${PROJECT_BINARY_DIR}/generated ${PROJECT_SOURCE_DIR}/core)
