#include "index/row_copy.hpp"

#include <algorithm>

#include "cpu/processor.hpp"
#include "index/upload.hpp"
#include "search/check.hpp"

namespace proxel::index {
namespace {

constexpr std::uint32_t most_threads = 8;
// Many more shares than threads, so that a thread that shares its processor does not hold up the others.
constexpr std::uint64_t share_bytes = std::uint64_t{1} << 20;
// Less is copied before another thread has started.
constexpr std::uint64_t worthwhile_bytes = std::uint64_t{4} << 20;

}  // namespace

template <typename T>
void RowCopy::run(const MatrixView<T>& rows, T* to) {
  if (alone_ || rows.rows * rows.columns * sizeof(T) < worthwhile_bytes) return copy_rows(rows, to);
  const std::uint64_t share = search::divide_up<std::uint64_t>(share_bytes, rows.columns * sizeof(T));
  if (share >= rows.rows) return copy_rows(rows, to);
  if (!workers_) workers_.emplace(std::min(cpu::thread_count(), most_threads));
  workers_->for_each(search::divide_up(rows.rows, share), [&](std::uint64_t item) {
    const std::uint64_t first = item * share;
    copy_rows(rows.slice(first, std::min(share, rows.rows - first)), to + first * rows.columns);
  });
}

template void RowCopy::run(const MatrixView<float>&, float*);
template void RowCopy::run(const MatrixView<std::uint32_t>&, std::uint32_t*);

}  // namespace proxel::index
