#include "shell/targets.hpp"

namespace demo {
namespace {

// One window, one thread: the items of a frame are as global as Dear ImGui's own.
std::map<std::string, Area> latest, growing;
std::set<std::string> reached;

}  // namespace

void mark(const char* name, ImVec2 least, ImVec2 most) { growing[name] = {least, most}; }
void mark(const char* name) {
  mark(name, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  if (ImGui::GetIO().NavVisible && ImGui::IsItemFocused()) reached.insert(name);
}

const std::map<std::string, Area>& targets() { return latest; }

const std::set<std::string>& visited() { return reached; }

void begin_targets() {
  latest.swap(growing);
  growing.clear();
}

}  // namespace demo
