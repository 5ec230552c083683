#include "data/unfinished_files.hpp"

#include <chrono>
#include <filesystem>
#include <mutex>
#include <vector>

#include "data/staged_file.hpp"
#include "proxel/output_files.hpp"

namespace proxel {
namespace data {
namespace {

namespace fs = std::filesystem;

struct Registry {
  std::timed_mutex busy;
  std::vector<std::string> stems;
};

// Never destroyed: a thread may remove files while the process ends.
Registry& registry() {
  static Registry* one = new Registry;
  return *one;
}

void remove_beginning_with(const std::string& stem) {
  const fs::path place = stem;
  const std::string begin = place.filename().string();
  const fs::path folder = place.parent_path().empty() ? fs::path(".") : place.parent_path();
  std::vector<fs::path> found;  // a folder is not changed while it is listed
  std::error_code ignored;
  for (auto entry = fs::directory_iterator(folder, ignored); entry != fs::directory_iterator();
       entry.increment(ignored))
    if (entry->path().filename().string().starts_with(begin)) found.push_back(entry->path());
  for (const fs::path& path : found) fs::remove(path, ignored);
}

}  // namespace

std::unique_lock<std::timed_mutex> appearing() { return std::unique_lock(registry().busy); }

void add_unfinished(const std::string& stem) {
  const auto lock = appearing();
  registry().stems.push_back(stem);
}

void end_unfinished(const std::string& stem) noexcept {
  const auto lock = appearing();
  std::erase(registry().stems, stem);
}

}  // namespace data

void remove_unfinished_files() noexcept {
  data::Registry& all = data::registry();
  if (!all.busy.try_lock_for(std::chrono::milliseconds(200))) return;
  try {
    for (const std::string& stem : all.stems) data::remove_beginning_with(stem);
  } catch (...) {
  }
  // The lock is kept, so that no other file appears before the process ends.
}

}  // namespace proxel
