#pragma once

#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace demo {

struct Theme;

/// What went wrong, in plain words, until it is closed or what it was about goes well.
class Notices {
 public:
  /// @param about  one notice is kept for each; the key of a worker's job, say. What stands before the
  ///               first full stop is whose it is: a tab's or everybody's
  void show(const std::string& about, const std::string& text);
  void clear(const std::string& about);
  /// @param elsewhere  whose notices are not shown now: those of the tabs that are not
  void draw(const Theme& theme, const std::set<std::string>& elsewhere);
  nlohmann::json report() const;

 private:
  struct Notice {
    std::string about, text;
  };
  std::vector<Notice> notices_;
};

}  // namespace demo
