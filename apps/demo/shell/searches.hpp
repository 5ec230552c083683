#pragma once

#include <map>
#include <memory>
#include <string>

#include "proxel/device.hpp"

namespace demo {

/// What is prepared to search the data that were asked last, by device: made, used and freed on the
/// worker's thread alone.
/// @tparam Search  made of a Device& and the data
template <typename Search, typename Data>
class Searches {
 public:
  Search& on(proxel::Device& device, const std::shared_ptr<const Data>& data) {
    if (data_ != data) {
      by_device_.clear();
      data_ = data;
    }
    return by_device_.try_emplace(device.info().id, device, data).first->second;
  }

 private:
  std::shared_ptr<const Data> data_;
  std::map<std::string, Search> by_device_;
};

}  // namespace demo
