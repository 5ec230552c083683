#pragma once

#include <functional>
#include <string>

#include "proxel/neighbors.hpp"
#include "shell/badge.hpp"
#include "shell/tab.hpp"
#include "shell/worker.hpp"

namespace demo {

/// Where two answers first differ, to the bit: "query 3, place 2"; empty where they do not.
std::string first_difference(const proxel::Neighbors& one, const proxel::Neighbors& other);

/// An answer, and how it is found once more.
struct Compared {
  std::string on;  ///< what gave the answer; no backend's id where it was the window's device
  proxel::Neighbors answer;
  std::function<proxel::Neighbors(proxel::Device&, Progress&)> search;  ///< on the worker
};

/// Has the worker search on every other backend, and shows on the badge what comes of it; a backend
/// that refuses is named.
/// @param key         of the worker's job
/// @param badge       outlives the job's ending
/// @param on          what gave the answer, as in Compared
/// @param difference  searches, on the worker, and says where its answer first differs; empty where it does not
void compare_backends(Context& context, const std::string& key, Badge& badge, const std::string& on,
                      std::function<std::string(proxel::Device&, Progress&)> difference);
/// The same for an answer of neighbours.
void compare_backends(Context& context, const std::string& key, Badge& badge, Compared compared);

}  // namespace demo
