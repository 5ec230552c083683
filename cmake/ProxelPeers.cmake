# Libraries for processors that "proxel-bench sift" and "proxel-bench cpu-knn" time beside proxel, and CUB, which
# comes with CUDA, for "proxel-bench select". Nothing else uses them; without them those rows are left out.
add_library(proxel_peers INTERFACE)
set(PROXEL_FAISS_FOUND FALSE)
set(PROXEL_ANN_FOUND FALSE)
set(PROXEL_CUB_FOUND FALSE)
if(PROXEL_PEERS STREQUAL "OFF")
  proxel_summary(PROXEL_PEERS "left out: switched off")
  return()
endif()

find_package(OpenMP COMPONENTS CXX QUIET)
if(OpenMP_CXX_FOUND)
  find_package(faiss CONFIG QUIET)
endif()
if(TARGET faiss)
  set(PROXEL_FAISS_FOUND TRUE)
  target_link_libraries(proxel_peers INTERFACE faiss OpenMP::OpenMP_CXX ${CMAKE_DL_LIBS})
endif()

find_path(PROXEL_ANN_INCLUDE ANN/ANN.h)
find_library(PROXEL_ANN_LIBRARY ann)
mark_as_advanced(PROXEL_ANN_INCLUDE PROXEL_ANN_LIBRARY)
if(PROXEL_ANN_INCLUDE AND PROXEL_ANN_LIBRARY)
  set(PROXEL_ANN_FOUND TRUE)
  target_include_directories(proxel_peers SYSTEM INTERFACE ${PROXEL_ANN_INCLUDE})
  target_link_libraries(proxel_peers INTERFACE ${PROXEL_ANN_LIBRARY})
endif()

function(proxel_peer_summary name found package)
  if(found)
    proxel_summary("benchmark peer ${name}" "built in")
  elseif(PROXEL_PEERS STREQUAL "ON")
    message(FATAL_ERROR "PROXEL_PEERS=ON, but ${name} was not found (${package})")
  else()
    proxel_summary("benchmark peer ${name}" "left out: it needs ${package}")
  endif()
endfunction()
proxel_peer_summary(FAISS ${PROXEL_FAISS_FOUND} libfaiss-dev)
proxel_peer_summary(ANN ${PROXEL_ANN_FOUND} libann-dev)

# For the architectures that the kernels are built for: CUB chooses by them how to sort.
if(TARGET proxel_cuda_kernels)
  set(PROXEL_CUB_FOUND TRUE)
  get_target_property(CMAKE_CUDA_ARCHITECTURES proxel_cuda_kernels CUDA_ARCHITECTURES)
  find_package(CUDAToolkit REQUIRED)
  enable_language(CUDA)
  add_library(proxel_cub_peer OBJECT peers/cub_peer.cu)
  set_target_properties(proxel_cub_peer PROPERTIES
    CUDA_STANDARD 17
    CUDA_STANDARD_REQUIRED ON
    CUDA_EXTENSIONS OFF
    CUDA_RUNTIME_LIBRARY Static)
  target_include_directories(proxel_cub_peer PRIVATE
    ${PROJECT_SOURCE_DIR}/apps ${PROJECT_SOURCE_DIR}/core/include)
  target_link_libraries(proxel_peers INTERFACE
    $<TARGET_OBJECTS:proxel_cub_peer> CUDA::cudart_static ${CMAKE_DL_LIBS})
  proxel_summary("benchmark peer CUB" "built in")
else()
  proxel_summary("benchmark peer CUB" "left out: it needs CUDA")
endif()
