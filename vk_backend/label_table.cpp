#include "label_table.hpp"

namespace proxel::vulkan {

std::unique_lock<std::mutex> hold_label_table(bool labels) {
  static std::mutex& table = *new std::mutex;  // outlives every device
  return labels ? std::unique_lock(table) : std::unique_lock<std::mutex>();
}

}  // namespace proxel::vulkan
