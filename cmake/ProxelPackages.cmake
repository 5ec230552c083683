# cpack (scripts/package.sh, docs/packages.md): Debian packages where the prefix is /usr, and a
# tarball that runs wherever it is unpacked everywhere else.
if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()

# Everything that is installed, without the tests.
add_custom_target(proxel_installed DEPENDS proxel proxel_shared)
foreach(program tool bench demo)
  foreach(part proxel_${program} proxel_${program}_manual)
    if(TARGET ${part})
      add_dependencies(proxel_installed ${part})
    endif()
  endforeach()
endforeach()

set(CPACK_PACKAGE_VENDOR "The proxel maintainers")
set(CPACK_PACKAGE_CONTACT "The proxel maintainers <maintainers@proxel.invalid>" CACHE STRING
    "Whom packages name as their maintainer")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_COMPONENTS_ALL runtime development)
if(TARGET proxel_tool)
  list(APPEND CPACK_COMPONENTS_ALL tools data)
endif()
if(TARGET proxel_demo)
  list(APPEND CPACK_COMPONENTS_ALL demo)
endif()
if(TARGET proxel_mpi_module)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
  add_dependencies(proxel_installed proxel_mpi_module)
endif()
set(CPACK_GENERATOR TGZ)

# The Python package over the shared library of the system: nothing in it is compiled. In other prefixes than /usr Python would not
# look for it; there the wheel takes its place (scripts/package_wheel.sh).
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  list(APPEND CPACK_COMPONENTS_ALL python)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/proxel DESTINATION lib/python3/dist-packages COMPONENT python EXCLUDE_FROM_ALL
          FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
endif()

if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  set(CPACK_GENERATOR DEB)
  set(CPACK_DEB_COMPONENT_INSTALL ON)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
  set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
  set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  # The tools need the library of this build, which is not installed yet.
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})
  set(this_version "${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}")
  set(library_package libproxel${PROJECT_VERSION_MAJOR})

  # In lines of the length that terminals have.
  set(description "The k nearest neighbours of vectors, strings and feature signatures,
with the same answer to the bit on the processor, through Vulkan on any
vendor's device and through CUDA.")
  set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME ${library_package})
  set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
  set(CPACK_DEBIAN_RUNTIME_DESCRIPTION "${description}
.
This package has the shared library.")

  # The linker's cache is renewed once, however many packages come with a library.
  file(WRITE ${PROJECT_BINARY_DIR}/debian/triggers "activate-noawait ldconfig\n")
  set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/debian/triggers)

  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libproxel-dev)
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
  set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "${description}
.
This package has the headers for C and C++, the static library, and what
CMake and pkg-config find it by.")
  # What those who link the static library link as well.
  set(depends "${library_package} (= ${this_version}), libfmt-dev, zlib1g-dev")
  if(PROXEL_WITH_HDF5)
    string(APPEND depends ", libhdf5-dev")
  endif()
  if(PROXEL_WITH_LIBZIP)
    string(APPEND depends ", libzip-dev")
  endif()
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${depends}")

  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-proxel)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
  set(CPACK_DEBIAN_PYTHON_DESCRIPTION "${description}
.
This package has the module for Python.")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
      "python3:any (>= 3.9), python3-numpy, python3-cffi-backend, ${library_package} (>= ${PROJECT_VERSION})")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-tqdm")
  # As Debian's own tools would write them: modules are compiled where they are installed.
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/debian/python/postinst CONTENT "#!/bin/sh
set -e
if command -v py3compile > /dev/null 2>&1; then
  py3compile -p python3-proxel
fi
")
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/debian/python/prerm CONTENT "#!/bin/sh
set -e
if command -v py3clean > /dev/null 2>&1; then
  py3clean -p python3-proxel
else
  find /usr/lib/python3/dist-packages/proxel -type d -name __pycache__ -exec rm -rf {} +
fi
")
  file(CHMOD ${PROJECT_BINARY_DIR}/debian/python/postinst ${PROJECT_BINARY_DIR}/debian/python/prerm
       PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA
      "${PROJECT_BINARY_DIR}/debian/python/postinst;${PROJECT_BINARY_DIR}/debian/python/prerm")

  set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME proxel)
  set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION science)
  set(CPACK_DEBIAN_TOOLS_DESCRIPTION "${description}
.
This package has the program that searches files, compares devices and
checks them, and the one that times them.")
  set(CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS "${library_package} (= ${this_version})")
  set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS "proxel-data (= ${this_version}), libvulkan1, mesa-vulkan-drivers")
  set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS "libvulkan1")

  # Apart from the tools, which then need no MPI.
  set(CPACK_DEBIAN_MPI_PACKAGE_NAME proxel-mpi)
  set(CPACK_DEBIAN_MPI_PACKAGE_SECTION science)
  set(CPACK_DEBIAN_MPI_DESCRIPTION "${description}
.
This package has what the program searches by where mpirun has started
several of it, on one machine or many.")
  set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "proxel (= ${this_version})")

  set(CPACK_DEBIAN_DATA_PACKAGE_NAME proxel-data)
  set(CPACK_DEBIAN_DATA_PACKAGE_SECTION science)
  set(CPACK_DEBIAN_DATA_PACKAGE_ARCHITECTURE all)
  set(CPACK_DEBIAN_DATA_DESCRIPTION "${description}
.
This package has the data that the programs show: words, digits, pictures
and a sample of the CoverType data.")

  set(CPACK_DEBIAN_DEMO_PACKAGE_NAME proxel-demo)
  set(CPACK_DEBIAN_DEMO_PACKAGE_SECTION science)
  set(CPACK_DEBIAN_DEMO_DESCRIPTION "${description}
.
This package has the desktop demo: texels, matches of images, words and
images searched before one's eyes, and a comparison of backends.")
  # It lends the library its own Vulkan device, and letters beyond ASCII need a font.
  set(CPACK_DEBIAN_DEMO_PACKAGE_DEPENDS "${library_package} (= ${this_version}), proxel-data (= ${this_version}), \
libvulkan1, fonts-dejavu-core")
  set(CPACK_DEBIAN_DEMO_PACKAGE_RECOMMENDS "mesa-vulkan-drivers")

  # Every package says what may be done with it, and what has changed. Only packages do: EXCLUDE_FROM_ALL leaves
  # these files out of "cmake --install" into a folder of one's own.
  set(changelog ${PROJECT_BINARY_DIR}/changelog.Debian)
  string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
  file(WRITE ${changelog} "proxel (${this_version}) unstable; urgency=medium

  * Version ${PROJECT_VERSION}.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
  execute_process(COMMAND gzip -9nc ${changelog} OUTPUT_FILE ${changelog}.gz COMMAND_ERROR_IS_FATAL ANY)
  foreach(component IN LISTS CPACK_COMPONENTS_ALL)
    string(TOUPPER ${component} COMPONENT)
    set(folder ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_${COMPONENT}_PACKAGE_NAME})
    install(FILES ${changelog}.gz DESTINATION ${folder} COMPONENT ${component} EXCLUDE_FROM_ALL)
    install(FILES ${PROJECT_SOURCE_DIR}/cmake/debian_copyright DESTINATION ${folder}
            RENAME copyright COMPONENT ${component} EXCLUDE_FROM_ALL)
  endforeach()
endif()
include(CPack)
