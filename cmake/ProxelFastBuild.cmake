# Most of the time of a build goes into reading the same headers again for every small source. With
# PROXEL_FAST_BUILD they are read once for about ten sources. Without it each source is compiled alone, which is
# quicker after an edit, and notices includes that are missing: the preset "debug" does so.

if(PROXEL_FAST_BUILD)
  # In sources that are included it takes types of their own for types of a header.
  add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
endif()

# Compiles sources together, up to ten of one folder: proxel_unity(<target> <sources>)
# Names of unnamed namespaces have to differ between the sources of a folder.
function(proxel_unity target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${PROXEL_FAST_BUILD} UNITY_BUILD_MODE GROUP)
  foreach(source IN LISTS ARGN)
    get_filename_component(folder ${source} DIRECTORY)
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    if(NOT DEFINED sources_${folder})
      set(sources_${folder} 0)
    endif()
    math(EXPR group "${sources_${folder}} / 10")
    math(EXPR sources_${folder} "${sources_${folder}} + 1")
    set_property(SOURCE ${source} TARGET_DIRECTORY ${target} PROPERTY UNITY_GROUP "${folder}_${group}")
  endforeach()
endfunction()

# Compiles headers that hardly ever change once for all sources of a target: of the standard library, and those that
# are given. proxel_precompile(<target> [<headers>])
function(proxel_precompile target)
  if(PROXEL_FAST_BUILD)
    target_precompile_headers(${target} PRIVATE
      <algorithm> <array> <cstdint> <functional> <map> <memory> <optional> <span> <string> <string_view> <vector> ${ARGN})
  endif()
endfunction()
