#include "bench/peers/sort_peer.hpp"

namespace proxel::tool {

const std::vector<SortPeerMaker>& sort_peers() {
  static const std::vector<SortPeerMaker> peers = {
#ifdef PROXEL_WITH_CUB
      {"cub_segmented_sort", false, make_cub_segmented_sort},
      {"cub_segmented_radix_sort", false, make_cub_segmented_radix_sort},
      {"cub_radix_sort", true, make_cub_radix_sort},
#endif
  };
  return peers;
}

Support sort_peers_run_on(const Device& device) {
  if (sort_peers().empty()) return Support::no(Limit::build, "left out of this build: it needs the CUDA toolkit");
  if (device.info().backend != BackendKind::cuda) return Support::no("it sorts on CUDA devices only");
  return Support::yes();
}

}  // namespace proxel::tool
