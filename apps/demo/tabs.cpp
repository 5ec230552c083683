#include "shell/tab.hpp"

namespace demo {

std::vector<std::unique_ptr<Tab>> make_tabs() {
  std::vector<std::unique_ptr<Tab>> tabs;
  return tabs;
}

}  // namespace demo
