#include "images/wall.hpp"

#include <algorithm>
#include <cmath>

namespace demo {

void Wall::arrange(std::vector<std::uint32_t> order, bool moves) {
  const bool same_images = order.size() == order_.size();
  order_ = std::move(order);
  std::vector<std::uint32_t> place(order_.size());
  for (std::uint32_t i = 0; i < order_.size(); ++i) place[order_[i]] = i;
  if (same_images && place == place_) return;
  place_before_ = same_images && moves ? place_ : place;
  place_ = std::move(place);
  moved_ = same_images && moves ? 0.0f : 1.0f;
}

void Wall::set_columns(std::uint32_t columns) {
  if (columns == columns_) return;
  columns_ = std::max(1u, columns);
  moved_ = 1;
}

void Wall::advance(float seconds) { moved_ = std::min(1.0f, moved_ + seconds / seconds_to_move); }

Wall::Spot Wall::spot_of_place(std::uint32_t place) const {
  return {static_cast<float>(place % columns_), static_cast<float>(place / columns_)};
}

Wall::Spot Wall::spot(std::uint32_t image) const {
  const Spot to = spot_of_place(place_[image]);
  if (!moving()) return to;
  const Spot from = spot_of_place(place_before_[image]);
  const float part = moved_ * moved_ * (3 - 2 * moved_);  // slowly off, slowly in
  return {std::lerp(from.column, to.column, part), std::lerp(from.row, to.row, part)};
}

std::vector<Wall::Shown> Wall::visible(float first_row, float last_row) const {
  std::vector<Shown> shown;
  const auto is_seen = [&](Spot spot) { return spot.row + 1 > first_row && spot.row < last_row; };
  if (!moving()) {
    const auto first = static_cast<std::uint32_t>(std::max(0.0f, std::floor(first_row))) * columns_;
    for (std::uint32_t place = first; place < order_.size() && is_seen(spot_of_place(place)); ++place)
      shown.push_back({order_[place], spot_of_place(place)});
    return shown;
  }
  for (std::uint32_t place = static_cast<std::uint32_t>(order_.size()); place-- > 0;)
    if (const Spot at = spot(order_[place]); is_seen(at)) shown.push_back({order_[place], at});
  return shown;
}

}  // namespace demo
