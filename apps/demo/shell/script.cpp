#include "shell/script.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include <nlohmann/json.hpp>

#include "proxel/error.hpp"

namespace demo {

const char* const script_help = R"(Steps of a script:
  tab NAME                 shows a tab
  click TARGET             also: double-click, right-click, hover
  drag TARGET X Y          by so many pixels
  scroll TARGET LINES      of the wheel; up is positive
  set TARGET = VALUE       types a value into a slider (Ctrl+click)
  type TEXT                into what has the keyboard
  key KEYS                 ctrl+1, space, left
  drop PATH                a file or folder onto the window
  wait [SECONDS]           until nothing is being worked on any more; fails after that long (60)
  frames COUNT             lets so many frames pass
  measure                  forgets the frame times so far: 'frames' then measures idle ones
  screenshot FILE.png, report FILE.json
  theme dark|light, size WIDTHxHEIGHT
  quit                     as does the end of the script
A TARGET is the name of something in the window, 'cloud'; 'cloud@0.25,0.75' is a place within it, by its width
and height. A target that is not there is waited for for five seconds.)";
namespace {

constexpr std::uint64_t settling = 3;  // frames behind a step, in which what it did shows
constexpr double target_seconds = 5;

void press(Input& input, Key key) {
  input.add(Input::Press{key, true});
  input.add(Input::Press{key, false});
}

void type(Input& input, const std::string& text) {
  for (const char character : text) input.add(Input::Text{static_cast<unsigned char>(character)});
}

void click(Input& input, ImVec2 place, int button = 0) {
  input.add(Input::Move{place.x, place.y});
  input.add(Input::Button{button, true});
  input.add(Input::Button{button, false});
}

std::string trimmed(std::string text) {
  const auto begin = text.find_first_not_of(" ");
  const auto end = text.find_last_not_of(" ");
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

// Takes the last word off.
std::string take_last(std::string& text) {
  const auto space = text.rfind(' ');
  std::string last = space == std::string::npos ? text : text.substr(space + 1);
  text = space == std::string::npos ? "" : trimmed(text.substr(0, space));
  return last;
}

}  // namespace

std::vector<std::string> Script::read(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw proxel::Error(proxel::ErrorCode::not_found, path, "the script cannot be read");
  try {
    return nlohmann::json::parse(file).at("steps").get<std::vector<std::string>>();
  } catch (const nlohmann::json::exception& exception) {
    throw proxel::Error(proxel::ErrorCode::malformed_file, path, exception.what());
  }
}

std::string Script::waiting_for() const { return "step " + std::to_string(next_ + 1) + " '" + steps_[next_] + "'"; }

void Script::fail(const std::string& why) const {
  throw proxel::Error(proxel::ErrorCode::invalid_argument, waiting_for(), why);
}

bool Script::advance(const Stage& stage) {
  if (!stage.input.empty()) return true;
  if (frames_ > 0) {
    --frames_;
    return true;
  }
  if (finished()) return false;
  if (!began_) begin_ = Clock::now();
  began_ = true;
  frames_ = settling;
  if (take(steps_[next_], stage)) {
    ++next_;
    began_ = false;
  }
  return true;
}

bool Script::find(const std::string& target, ImVec2& place) {
  const auto at = target.find('@');
  const auto found = targets().find(target.substr(0, at));
  if (found == targets().end()) {
    if (std::chrono::duration<double>(Clock::now() - begin_).count() < target_seconds) return false;
    std::string names;
    for (const auto& [name, area] : targets()) names += (names.empty() ? "" : ", ") + name;
    fail("there is no such target; there are: " + names);
  }
  float x = 0.5f, y = 0.5f;
  if (at != std::string::npos) {
    char* end = nullptr;
    x = std::strtof(target.c_str() + at + 1, &end);
    if (*end != ',') fail("a place is given as name@0.25,0.75");
    y = std::strtof(end + 1, nullptr);
  }
  const Area& area = found->second;
  place = ImVec2(area.least.x + (area.most.x - area.least.x) * x, area.least.y + (area.most.y - area.least.y) * y);
  return true;
}

bool Script::take(const std::string& step, const Stage& stage) {
  const auto space = step.find(' ');
  const std::string verb = step.substr(0, space);
  std::string rest = space == std::string::npos ? "" : trimmed(step.substr(space + 1));
  Input& input = stage.input;
  ImVec2 place;
  if (verb == "tab") {
    stage.tab(rest);
  } else if (verb == "click" || verb == "double-click" || verb == "right-click") {
    if (!find(rest, place)) return false;
    click(input, place, verb == "right-click" ? 1 : 0);
    if (verb == "double-click") click(input, place);
  } else if (verb == "hover") {
    if (!find(rest, place)) return false;
    input.add(Input::Move{place.x, place.y});
  } else if (verb == "drag") {
    const float y = std::strtof(take_last(rest).c_str(), nullptr), x = std::strtof(take_last(rest).c_str(), nullptr);
    if (!find(rest, place)) return false;
    input.add(Input::Move{place.x, place.y});
    input.add(Input::Button{0, true});
    for (int part = 1; part <= 4; ++part) {
      // A button that changes and a move behind it are taken in two frames.
      const float way = static_cast<float>(part) / 4;
      input.add(Input::Move{place.x + x * way, place.y + y * way});
    }
    input.add(Input::Button{0, false});
  } else if (verb == "scroll") {
    const float lines = std::strtof(take_last(rest).c_str(), nullptr);
    if (!find(rest, place)) return false;
    input.add(Input::Move{place.x, place.y});
    input.add(Input::Wheel{0, lines});
  } else if (verb == "set") {
    const auto equals = rest.find('=');
    if (equals == std::string::npos) fail("a value is given as: set TARGET = VALUE");
    if (!find(trimmed(rest.substr(0, equals)), place)) return false;
    input.add(Input::Move{place.x, place.y});
    input.add(Input::Press{Key::control, true});
    click(input, place);
    input.add(Input::Press{Key::control, false});
    press(input, Key::control);  // a frame of its own, behind which the field has the keyboard
    type(input, trimmed(rest.substr(equals + 1)));
    press(input, Key::enter);
  } else if (verb == "type") {
    type(input, rest);
  } else if (verb == "key") {
    std::vector<Key> keys;
    std::istringstream names(rest);
    for (std::string name; std::getline(names, name, '+');) {
      const auto key = key_from_name(name);
      if (!key) fail("there is no key '" + name + "'");
      keys.push_back(*key);
    }
    for (const Key key : keys) input.add(Input::Press{key, true});
    for (auto key = keys.rbegin(); key != keys.rend(); ++key) input.add(Input::Press{*key, false});
  } else if (verb == "drop") {
    stage.drop({rest});
  } else if (verb == "wait") {
    const double limit = rest.empty() ? 60 : std::strtod(rest.c_str(), nullptr);
    if (stage.idle()) return true;
    if (std::chrono::duration<double>(Clock::now() - begin_).count() > limit) fail("there is still work going on");
    frames_ = 0;
    return false;
  } else if (verb == "frames") {
    frames_ = std::strtoull(rest.c_str(), nullptr, 10);
  } else if (verb == "measure") {
    stage.measure();
  } else if (verb == "screenshot") {
    stage.screenshot(rest);
  } else if (verb == "report") {
    stage.report(rest);
  } else if (verb == "theme") {
    stage.theme(rest);
  } else if (verb == "size") {
    const auto times = rest.find('x');
    if (times == std::string::npos) fail("a size is given as 1280x720");
    stage.resize(static_cast<std::uint32_t>(std::strtoul(rest.c_str(), nullptr, 10)),
                 static_cast<std::uint32_t>(std::strtoul(rest.c_str() + times + 1, nullptr, 10)));
  } else {
    fail("there is no such step");
  }
  return true;
}

}  // namespace demo
