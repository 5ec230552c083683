# What is installed, in the components that packages are made of: runtime (the shared library),
# development (what is needed to compile and link) and tools. find_package(proxel) and pkg-config
# find either form of the library.
if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/proxel)
foreach(form proxel proxel_shared)
  set_target_properties(${form} PROPERTIES EXPORT_NAME proxel)
  install(TARGETS ${form} EXPORT ${form}_targets
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT development
          INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endforeach()
install(EXPORT proxel_targets FILE proxelTargets-static.cmake NAMESPACE proxel::
        DESTINATION ${package_folder} COMPONENT development)
install(EXPORT proxel_shared_targets FILE proxelTargets-shared.cmake NAMESPACE proxel::
        DESTINATION ${package_folder} COMPONENT development)

# Without the arithmetic of canonical values: it is right only where nothing is contracted, which
# programs of others are not compiled with. No public header needs it.
get_property(header_folders GLOBAL PROPERTY PROXEL_HEADER_FOLDERS)
foreach(folder ${PROJECT_SOURCE_DIR}/core/include ${PROJECT_BINARY_DIR}/generated/include
               ${header_folders})
  install(DIRECTORY ${folder}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
          PATTERN arithmetic EXCLUDE)
endforeach()

set(PROXEL_DEFAULT_FORM static)
if(BUILD_SHARED_LIBS)
  set(PROXEL_DEFAULT_FORM shared)
endif()
get_target_property(definitions proxel COMPILE_DEFINITIONS)
get_target_property(uses proxel LINK_LIBRARIES)
string(REPLACE ";" " " PROXEL_STATIC_FILES "${uses}")
string(REGEX MATCHALL "(^| )/[^ ]+" PROXEL_STATIC_FILES "${PROXEL_STATIC_FILES}")
string(REPLACE ";" "" PROXEL_STATIC_FILES "${PROXEL_STATIC_FILES}")
foreach(part HDF5 LIBZIP CUDA)
  if("PROXEL_WITH_${part}" IN_LIST definitions)
    set(PROXEL_WITH_${part} TRUE)
  else()
    set(PROXEL_WITH_${part} FALSE)
  endif()
endforeach()
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/proxelConfig.cmake.in ${PROJECT_BINARY_DIR}/proxelConfig.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/proxelConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/proxelConfig.cmake
              ${PROJECT_BINARY_DIR}/proxelConfigVersion.cmake
        DESTINATION ${package_folder} COMPONENT development)

# pkg-config: the tree may be moved, so the prefix is found from where proxel.pc lies.
set(pc_folder ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH PROXEL_PC_PREFIX ${pc_folder} ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" PROXEL_PC_PREFIX ${PROXEL_PC_PREFIX})

# What the static library calls. These are no Requires.private: pkg-config would want their .pc files even for the
# shared library, name the folders of their headers to every compiler, and name to the linker what they
# themselves are made of, which their packages need not bring.
set(files ${uses})
list(FILTER files INCLUDE REGEX "^/")
# What CMake says of HDF5 lists what HDF5 is made of as well, which only an archive needs.
if(NOT files MATCHES "/libhdf5[^/;]*\\.a(;|$)")
  list(FILTER files INCLUDE REGEX "/lib(hdf5|zip)[^/]*$")
endif()
find_package(fmt REQUIRED)
find_package(ZLIB REQUIRED)
set(PROXEL_PC_LIBRARIES "-L$<TARGET_FILE_DIR:fmt::fmt> -lfmt -L$<TARGET_FILE_DIR:ZLIB::ZLIB> -lz")
foreach(file IN LISTS files)
  get_filename_component(folder ${file} DIRECTORY)
  get_filename_component(name ${file} NAME_WE)
  string(REGEX REPLACE "^lib" "" name ${name})
  string(APPEND PROXEL_PC_LIBRARIES " -L${folder} -l${name}")
endforeach()
if(PROXEL_WITH_CUDA)
  find_package(CUDAToolkit QUIET)
  string(APPEND PROXEL_PC_LIBRARIES " -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -lrt")
endif()
string(APPEND PROXEL_PC_LIBRARIES " -lstdc++ -lm -lpthread -ldl")
configure_file(${PROJECT_SOURCE_DIR}/cmake/proxel.pc.in ${PROJECT_BINARY_DIR}/proxel.pc.in @ONLY)
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/proxel.pc INPUT ${PROJECT_BINARY_DIR}/proxel.pc.in)
install(FILES ${PROJECT_BINARY_DIR}/proxel.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
        COMPONENT development)

# Outside of Debian's packages, which have files of their own for this. The component is in none of them.
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/proxel COMPONENT license)
# Which folder that is depends on the prefix that was configured: Debian has one for each architecture in /usr alone.
install(CODE "
  if(NOT CMAKE_INSTALL_PREFIX MATCHES \"^/usr(/local)?/?$\")
    message(STATUS \"proxel: CMake finds it with -DCMAKE_PREFIX_PATH=\${CMAKE_INSTALL_PREFIX}, \"
            \"pkg-config with PKG_CONFIG_PATH=\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/pkgconfig\")
  endif()" COMPONENT license)
