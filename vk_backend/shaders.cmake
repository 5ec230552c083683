# Compiles every shader to SPIR-V and embeds it as a C array.
file(GLOB shader_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/shaders/*/*.comp)
set(PROXEL_SHADER_HEADERS ${CMAKE_CURRENT_BINARY_DIR}/generated)
file(MAKE_DIRECTORY ${PROXEL_SHADER_HEADERS})

# Cooperative matrices need a glslang of 2023 or later: where a small shader that uses them does not compile, those of
# shaders/kept/ are embedded, unless what they were made of has changed.
set(probe ${CMAKE_CURRENT_BINARY_DIR}/cooperative_matrix)
file(WRITE ${probe}.comp "#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 32) in;
void main() {
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> a =
      coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA>(0.0);
}
")
execute_process(COMMAND ${PROXEL_GLSLANG} -V --quiet --target-env vulkan1.2 -o ${probe}.spv ${probe}.comp
                RESULT_VARIABLE probe_failed OUTPUT_QUIET ERROR_QUIET)
set(kept_shaders "")
if(probe_failed)
  include(${CMAKE_CURRENT_SOURCE_DIR}/kept_shaders.cmake)
  set(unknown "glslang does not know GL_KHR_cooperative_matrix")
  set(matrix_shaders ${shader_sources})
  list(FILTER matrix_shaders INCLUDE REGEX "_matrix\\.comp$")
  set(changed "")
  foreach(shader IN LISTS matrix_shaders)
    proxel_kept_shader(kept ${shader})
    list(APPEND changed ${kept_changed})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${kept_follow})
  endforeach()
  if(changed)
    list(REMOVE_DUPLICATES changed)
    list(REMOVE_ITEM shader_sources ${matrix_shaders})
    list(JOIN changed ", " changed)
    proxel_summary("Vulkan cooperative matrices"
                   "left out: ${unknown}, and shaders/kept is not current (scripts/keep_shaders.sh): ${changed}")
  else()
    set(kept_shaders ${matrix_shaders})
    proxel_summary("Vulkan cooperative matrices" "built in, the SPIR-V of shaders/kept, as ${unknown}")
  endif()
else()
  proxel_summary("Vulkan cooperative matrices" "built in")
endif()

# A compiler that tells what a shader includes has each follow its own headers; otherwise each follows all of them.
execute_process(COMMAND ${PROXEL_GLSLANG} --help OUTPUT_VARIABLE glslang_help ERROR_VARIABLE glslang_help)
if(glslang_help MATCHES "--depfile")
  set(shader_includes "")
else()
  file(GLOB shader_includes CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/shaders/include/*.glsl
       ${PROJECT_SOURCE_DIR}/core/include/proxel/passes/*.h ${PROJECT_SOURCE_DIR}/core/include/proxel/arithmetic/*.h)
endif()
set(shader_outputs "")
set(shader_includes_text "")
set(shader_table_text "")
foreach(source IN LISTS shader_sources)
  get_filename_component(name ${source} NAME_WE)
  set(output ${PROXEL_SHADER_HEADERS}/${name}.spv.inc)
  list(APPEND shader_outputs ${output})
  string(APPEND shader_includes_text "#include \"${name}.spv.inc\"\n")
  string(APPEND shader_table_text "PROXEL_SHADER(${name})\n")
  if(source IN_LIST kept_shaders)
    configure_file(${PROJECT_SOURCE_DIR}/shaders/kept/${name}.spv.inc ${output} COPYONLY)
    continue()
  endif()
  if(shader_includes)
    set(follow DEPENDS ${source} ${shader_includes})
    set(tell "")
  else()
    set(follow DEPENDS ${source} DEPFILE ${output}.d)
    set(tell --depfile ${output}.d)
  endif()
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${PROXEL_GLSLANG} -V --quiet --target-env vulkan1.2 ${tell}
            -I${PROJECT_SOURCE_DIR}/shaders/include -I${PROJECT_SOURCE_DIR}/core/include
            --vn spirv_${name} -o ${output} ${source}
    ${follow}
    COMMENT "Compiling shader ${name}" VERBATIM)
endforeach()
file(CONFIGURE OUTPUT ${PROXEL_SHADER_HEADERS}/proxel_shader_arrays.inc CONTENT "${shader_includes_text}")
file(CONFIGURE OUTPUT ${PROXEL_SHADER_HEADERS}/proxel_shader_table.inc CONTENT "${shader_table_text}")

add_custom_target(proxel_shaders DEPENDS ${shader_outputs})
add_dependencies(proxel proxel_shaders)
