#include "notes.hpp"

#include <algorithm>

namespace proxel::tool {
namespace {

// One run of the program has one list, whichever command reads the input.
struct Notes {
  nlohmann::ordered_json texts = nlohmann::ordered_json::array();
  nlohmann::ordered_json inputs = nlohmann::ordered_json::array();
};

Notes& all() {
  static Notes notes;
  return notes;
}

}  // namespace

void note(const std::string& text) {
  if (std::find(all().texts.begin(), all().texts.end(), nlohmann::ordered_json(text)) != all().texts.end()) return;
  all().texts.push_back(text);
  print_note(text);
}

void add_input(const nlohmann::ordered_json& input) {
  if (std::find(all().inputs.begin(), all().inputs.end(), input) == all().inputs.end()) all().inputs.push_back(input);
}

void add_notes(nlohmann::ordered_json& document) {
  if (!document.is_object()) return;
  if (!all().inputs.empty()) document["inputs"] = all().inputs;
  if (!all().texts.empty()) document["notes"] = all().texts;
}

}  // namespace proxel::tool
