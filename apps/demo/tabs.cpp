#include "shell/tab.hpp"

namespace demo {

std::vector<std::unique_ptr<Tab>> make_tabs() {
  std::vector<std::unique_ptr<Tab>> tabs;
  tabs.push_back(make_texels_tab());
  tabs.push_back(make_matches_tab());
  tabs.push_back(make_words_tab());
  tabs.push_back(make_images_tab());
  tabs.push_back(make_compare_tab());
  return tabs;
}

}  // namespace demo
