#include "stream_writer.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <nvtx3/nvToolsExt.h>

#include "library_pass.hpp"
#include "search/check.hpp"
#include "search/words.hpp"
#include "status.hpp"

namespace proxel::cuda {
namespace {

// By a kernel, which takes turns on the bus with the copy engines' work, word by word: an engine that other streams keep busy lets a stream
// wait for its turn for milliseconds. It takes larger ones, beside which that time is short.
constexpr std::uint64_t most_from_host_by_pass = std::uint64_t{8} << 20;
constexpr std::uint64_t most_by_pass = std::uint64_t{64} << 10;

// Names what is enqueued while it lives.
class Range {
 public:
  explicit Range(const char* name) { nvtxRangePushA(name); }
  ~Range() { nvtxRangePop(); }
  Range(const Range&) = delete;
  Range& operator=(const Range&) = delete;
};

}  // namespace

// Workgroups that come onto the device early take what room the kernel before leaves them, some multiprocessors none and others many. That
// is nothing to those that wait for memory, or have a multiprocessor each. But a few that work in shared memory, as sorting does, wait for each
// other then (docs/lab/screened-cuda.md). Much of it tells them, of what a launch asks for: kernels with arrays of a fixed size were not found
// to crowd.
bool StreamWriter::comes_early(const Grid& grid, std::uint32_t shared_bytes) const {
  constexpr std::uint32_t much_memory = 8 * 1024, few_of_multiprocessor = 8;
  const Capabilities& has = device_.capabilities();
  const std::uint64_t groups = std::uint64_t{grid.x} * grid.y * grid.z;
  const bool few = groups > 1 && groups <= std::uint64_t{few_of_multiprocessor} * has.multiprocessors;
  return !few || shared_bytes < much_memory || 2 * shared_bytes > has.shared_memory_bytes;
}

cudaError_t StreamWriter::start(const void* function, const Grid& grid, std::uint32_t workgroup_size,
                                std::uint32_t shared_bytes, void** arguments) {
  // Kernels wait for the ones before themselves (kernels/chain.cuh), so they
  // may be brought onto the device early.
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(grid.x, grid.y, grid.z);
  config.blockDim = dim3(workgroup_size);
  config.dynamicSmemBytes = shared_bytes;
  config.stream = stream_;
  config.attrs = &early;
  config.numAttrs = device_.chains_passes() && comes_early(grid, shared_bytes) ? 1 : 0;
  return cudaLaunchKernelExC(&config, function, arguments);
}

StreamWriter::~StreamWriter() { close_labels(); }

void StreamWriter::record(const Pass& pass) {
  const Kernel kernel = find_kernel(pass);
  const Range range(pass.name());
  if (kernel.library) {
    kernel.library->enqueue(device_, stream_, pass);
    return;
  }
  if (!kernel.function) throw Error(ErrorCode::unsupported, device_.info().id, device_.supports(pass).reason);
  Launch launch;
  launch.workgroup_size = pass.workgroup_size;
  std::copy_n(pass.constants.begin(), std::size(launch.constants), launch.constants);
  for (std::size_t i = 0; i < pass.textures.size(); ++i)
    if (const Texture* texture = pass.textures[i])
      launch.textures[i] = {reinterpret_cast<void*>(texture->address()), texture->width(), texture->height()};
  // A kernel that does not take the second argument leaves it unread.
  auto parameters = pass.parameters;
  void* arguments[] = {parameters.data(), &launch};

  const CurrentDevice current(device_.ordinal());
  const cudaError_t status =
      start(kernel.function, pass.grid, kernel.workgroup_size ? kernel.workgroup_size : pass.workgroup_size,
            kernel.shared_bytes, arguments);
  if (status != cudaSuccess) device_.check(status, fmt::format("cannot launch {}", pass.name()).c_str());
}

void StreamWriter::copy(const BufferView& from, const BufferView& to) {
  search::require_copy(device_, from, to);
  if (from.bytes == 0) return;
  const std::uint64_t most = !from.buffer->mapped() || to.buffer->mapped() ? most_by_pass : most_from_host_by_pass;
  if (search::copies_by_pass(from, to, most, [&](const Pass& pass) { record(pass); })) return;
  const CurrentDevice current(device_.ordinal());
  device_.check(cudaMemcpyAsync(reinterpret_cast<void*>(to.address()), reinterpret_cast<const void*>(from.address()),
                                from.bytes, cudaMemcpyDefault, stream_),
                "cannot copy");
}

void StreamWriter::fill(const BufferView& view, std::uint8_t byte) {
  search::require_fill(device_, view);
  search::each_fill(view, byte, [&](const Pass& pass) { record(pass); });
}

void StreamWriter::push_label(std::string_view name) {
  // Labels are short; a fixed array keeps recording free of allocations.
  std::array<char, 64> text{};
  name.copy(text.data(), text.size() - 1);
  nvtxRangePushA(text.data());
  ++open_labels_;
}

void StreamWriter::pop_label() {
  if (open_labels_ == 0) return;
  --open_labels_;
  nvtxRangePop();
}

void StreamWriter::close_labels() {
  while (open_labels_ != 0) pop_label();
}

}  // namespace proxel::cuda
