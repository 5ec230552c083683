#pragma once

#include <cstdint>
#include <vector>

namespace demo {

/// Thumbnails in rows, and how they move from one order to the next.
class Wall {
 public:
  static constexpr float seconds_to_move = 0.6f;
  struct Spot {
    float column, row;
  };
  struct Shown {
    std::uint32_t image;
    Spot spot;
  };

  /// @param order  of all images; each is once in it
  /// @param moves  they go there in time, otherwise at once
  void arrange(std::vector<std::uint32_t> order, bool moves);
  /// A narrower or wider wall; images are at their new places at once. At least 1.
  void set_columns(std::uint32_t columns);
  void advance(float seconds);

  bool moving() const { return moved_ < 1; }
  std::uint32_t columns() const { return columns_; }
  std::uint32_t rows() const { return static_cast<std::uint32_t>((order_.size() + columns_ - 1) / columns_); }
  const std::vector<std::uint32_t>& order() const { return order_; }
  std::uint32_t place(std::uint32_t image) const { return place_[image]; }
  Spot spot(std::uint32_t image) const;
  /// What can be seen where rows first … last - 1 are shown, those that come from afar first.
  std::vector<Shown> visible(float first_row, float last_row) const;

 private:
  Spot spot_of_place(std::uint32_t place) const;

  std::vector<std::uint32_t> order_, place_, place_before_;
  std::uint32_t columns_ = 1;
  float moved_ = 1;  // of the way
};

}  // namespace demo
