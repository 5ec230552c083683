#include "images/thumbnails.hpp"

namespace demo {
namespace {

constexpr std::uint32_t page_side = 1024, pages = 8, most_brought = 64;

}  // namespace

void Thumbnails::reset(Pictures& pictures, std::uint32_t side) {
  for (Picture& page : pages_) pictures.release(page);
  pages_.clear();
  side_ = side;
  per_row_ = page_side / (side + 1);  // a free pixel between, for the filter
  cells_.emplace(pages * per_row_ * per_row_);
}

void Thumbnails::begin_frame() {
  if (cells_) cells_->next_frame();
  brought_ = 0;
  waiting_ = false;
}

std::optional<Thumbnails::Shown> Thumbnails::at(Pictures& pictures, const Collection& collection, std::uint32_t image) {
  // A cell is given only where its pixels can follow in the same frame.
  if (brought_ == most_brought && !cells_->holds(image)) {
    waiting_ = true;
    return std::nullopt;
  }
  const auto cell = cells_->cell_of(image);
  if (!cell) return std::nullopt;
  const std::uint32_t per_page = per_row_ * per_row_, page = cell->number / per_page, within = cell->number % per_page;
  const std::uint32_t x = within % per_row_ * (side_ + 1), y = within / per_row_ * (side_ + 1);
  while (pages_.size() <= page)
    pages_.push_back(pictures.load({page_side, page_side, std::vector<std::uint8_t>(page_side * page_side * 3, 255)}));
  const proxel::images::Image& thumbnail = collection.thumbnails[image];
  if (cell->fresh) {
    pictures.update(pages_[page], thumbnail, x, y);
    ++brought_;
  }
  // Half a pixel less on each side, so that the filter does not see what lies beside it.
  const auto part = [](std::uint32_t pixels, float more) { return (static_cast<float>(pixels) + more) / page_side; };
  return Shown{pages_[page].id,
               {part(x, 0.5f), part(y, 0.5f)},
               {part(x + thumbnail.width, -0.5f), part(y + thumbnail.height, -0.5f)}};
}

}  // namespace demo
