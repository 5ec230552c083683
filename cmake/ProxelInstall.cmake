# find_package(proxel) for those who link the library.
if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/proxel)
install(TARGETS proxel EXPORT proxelTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
get_property(header_folders GLOBAL PROPERTY PROXEL_HEADER_FOLDERS)
foreach(folder ${PROJECT_SOURCE_DIR}/core/include ${PROJECT_BINARY_DIR}/generated/include
               ${header_folders})
  install(DIRECTORY ${folder}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endforeach()
install(EXPORT proxelTargets NAMESPACE proxel:: DESTINATION ${package_folder})
get_target_property(definitions proxel COMPILE_DEFINITIONS)
if("PROXEL_WITH_CUDA" IN_LIST definitions)
  set(PROXEL_CUDA_BUILT TRUE)
else()
  set(PROXEL_CUDA_BUILT FALSE)
endif()
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/proxelConfig.cmake.in ${PROJECT_BINARY_DIR}/proxelConfig.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/proxelConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/proxelConfig.cmake
              ${PROJECT_BINARY_DIR}/proxelConfigVersion.cmake
        DESTINATION ${package_folder})
