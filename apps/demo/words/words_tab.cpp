#include "words/words_tab.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "format.hpp"
#include "shell/backends.hpp"
#include "shell/child.hpp"
#include "shell/comparison.hpp"
#include "shell/notices.hpp"
#include "shell/targets.hpp"
#include "shell/worker.hpp"

namespace demo {
namespace {

using namespace std::chrono_literals;
using proxel::tool::significant;
using proxel::tool::with_separators;

constexpr const char* list_job = "words.list";
constexpr const char* search_job = "words.search";
constexpr const char* compare_job = "words.compare";
constexpr std::uint64_t most_k = 100;
constexpr std::uint32_t most_permutants = 256;
constexpr double least_fraction = 0.0005;
constexpr auto typing_pause = 400ms;

void copy_text(char* to, std::size_t room, const std::string& text) {
  std::memset(to, 0, room);
  text.copy(to, room - 1);
}

nlohmann::json report_of(const WordAnswer& answer) {
  nlohmann::json words = nlohmann::json::array(), distances = nlohmann::json::array();
  for (const FoundWord& word : answer.words) {
    words.push_back(word.text);
    distances.push_back(word.distance);
  }
  return {{"words", words},
          {"distances", distances},
          {"compared", answer.compared},
          {"device_milliseconds", answer.device_milliseconds},
          {"wall_milliseconds", answer.wall_milliseconds}};
}

}  // namespace

std::unique_ptr<Tab> make_words_tab() { return std::make_unique<WordsTab>(); }

void WordsTab::open(Context& context) {
  if (!path_.empty() && !std::filesystem::exists(path_)) {
    context.notices.show("words.kept", path_ + " is not there any more; the bundled words are searched instead");
    path_.clear();
  }
  load(context, path_.empty() ? (context.data / "words.txt.gz").string() : path_);
}

bool WordsTab::drop(Context& context, std::span<const std::string> paths) {
  load(context, paths.front());
  return true;
}

std::vector<std::pair<std::string, std::string>> WordsTab::keys() const {
  return {{"letters", "search with every keystroke"}, {"click on a word", "search for it"}};
}

// The list that there was stays until the other has been read.
void WordsTab::load(Context& context, const std::string& path) {
  const std::string bundled = (context.data / "words.txt.gz").string();
  context.worker.run(list_job, "Reading words", [this, &context, path, bundled](Progress&) -> Worker::Ending {
    auto list = std::make_shared<WordList>(read_words(path));
    return [this, &context, path, bundled, list] {
      list_ = list;
      path_ = path == bundled ? std::string() : path;
      copy_text(typed_path_, sizeof typed_path_, path_);
      plot_.clear();
      result_.reset();
      ask(context);
    };
  });
}

// A newer question takes the place of one that is not answered yet.
void WordsTab::ask(Context& context) {
  context.worker.cancel(compare_job);
  badge_.reset();
  question_.text = typed_;
  asked_ = question_;
  asked_device_ = context.backends.chosen();
  if (!list_ || question_.text.empty()) {
    context.worker.cancel(search_job);
    result_.reset();
    return;
  }
  const auto begin = std::chrono::steady_clock::now();
  const auto search = [this, &context, &backends = context.backends, searches = searches_, list = list_,
                       question = question_, device = asked_device_, begin](Progress& progress) -> Worker::Ending {
    WordSearch& words = searches->on(backends.device(device), list);
    words.prepare(question, progress.callback());
    progress.check();
    auto result = std::make_shared<WordResult>(words.search(question));
    return [this, &context, list, result, begin] {
      const std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - begin;
      show(context, list, std::move(*result), passed.count());
    };
  };
  context.worker.run(search_job, "Searching words (a new index takes a moment)", search);
}

void WordsTab::show(Context& context, const List& of, WordResult result, double milliseconds) {
  if (of != list_) return;  // there is another list now
  plot_.add(result.device + " all", result.exact.device_milliseconds);
  plot_.add(result.device + " index", result.approximate.device_milliseconds);
  answer_milliseconds_ = milliseconds;
  result_ = std::move(result);
  compare(context);
}

// Waits until nobody has typed for a while: other backends may be far slower than the chosen one,
// and a search that has begun keeps the next one waiting.
void WordsTab::compare(Context& context) {
  const auto here = std::make_shared<const WordResult>(*result_);
  const auto pause = context.reduce_motion ? 0ms : typing_pause;
  compare_backends(context, compare_job, badge_, here->device,
                   [&backends = context.backends, searches = searches_, list = list_, here, pause](
                       proxel::Device& device, Progress& progress) {
    for (auto waited = 0ms; waited < pause; waited += 10ms) {
      progress.check();
      std::this_thread::sleep_for(10ms);
    }
    WordSearch& origin = searches->on(backends.device(here->device), list);
    origin.prepare(here->question, progress.callback());
    WordSearch& words = searches->on(device, list);
    words.prepare_as(origin, here->question);
    progress.check();
    return difference(*here, words.search(here->question, [&] { progress.check(); }));
  });
}

void WordsTab::draw(Context& context) {
  const Theme& theme = context.theme;
  busy_ = context.worker.busy(list_job) || context.worker.busy(search_job);
  draw_question(context);
  // Another word was chosen, or another backend answers from now on.
  if (std::exchange(clicked_, false) || (list_ && asked_device_ != context.backends.chosen())) ask(context);

  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float below = std::min(150 * theme.scale, room.y * 0.34f);
  draw_answers(theme, ImVec2(room.x, room.y - below - ImGui::GetStyle().ItemSpacing.y));
  ImGui::BeginGroup();
  const float left = std::min(400 * theme.scale, room.x * 0.4f);
  draw_recall(theme, left);
  ImGui::EndGroup();
  ImGui::SameLine(0, 2 * theme.gap);
  plot_.draw("device time of a search, ms", theme, ImVec2(ImGui::GetContentRegionAvail().x, below));
}

void WordsTab::draw_question(Context& context) {
  const Theme& theme = context.theme;
  const float whole = ImGui::GetContentRegionAvail().x;
  ImGui::PushFont(theme.bold);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(1.5f * theme.gap, theme.gap));
  ImGui::SetNextItemWidth(whole * 0.5f);
  // Shown again, the search box takes the keyboard.
  if (ImGui::GetFrameCount() > std::exchange(last_frame_, ImGui::GetFrameCount()) + 1) ImGui::SetKeyboardFocusHere();
  bool changed = ImGui::InputTextWithHint("##query", "type a word, misspelt or not", typed_, sizeof typed_);
  mark("search box");
  ImGui::PopStyleVar();
  ImGui::PopFont();
  ImGui::SameLine(0, 2 * theme.gap);
  draw_list_choice(context);

  const auto label = [&](const char* text) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(text);
    ImGui::SameLine();
    ImGui::SetNextItemWidth(std::min(180 * theme.scale, whole * 0.14f));
  };
  label("distance");
  if (ImGui::BeginCombo("##distance", std::string(to_string(question_.distance)).c_str())) {
    for (const auto distance : {proxel::StringDistance::levenshtein, proxel::StringDistance::hamming})
      if (ImGui::Selectable(std::string(to_string(distance)).c_str(), distance == question_.distance)) {
        question_.distance = distance;
        changed = true;
      }
    ImGui::EndCombo();
  }
  mark("distance");
  const auto next = [&](const char* text) {
    ImGui::SameLine(0, 2 * theme.gap);
    label(text);
  };
  const auto told = [](const char* target, const char* tip) {
    mark(target);
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", tip);
  };
  constexpr ImGuiSliderFlags clamp = ImGuiSliderFlags_AlwaysClamp;
  constexpr ImGuiSliderFlags steep = clamp | ImGuiSliderFlags_Logarithmic;
  constexpr std::uint64_t fewest = 1;
  constexpr std::uint32_t fewest_permutants = 1;
  constexpr double whole_list = 1;
  next("k");
  changed |= ImGui::SliderScalar("##k", ImGuiDataType_U64, &question_.k, &fewest, &most_k, "%llu nearest words", clamp);
  told("k", "how many nearest words are wanted");
  next("m");
  ImGui::SliderScalar("##m", ImGuiDataType_U32, &question_.permutants, &fewest_permutants, &most_permutants,
                      "%u permutants", steep);
  // Every m is another index; those that the slider passes over are not made.
  changed |= ImGui::IsItemDeactivatedAfterEdit();
  told("m", "permutants: words whose order, by distance, stands for a word in the index");
  next("f");
  changed |= ImGui::SliderScalar("##f", ImGuiDataType_Double, &question_.fraction, &least_fraction, &whole_list,
                                 "%.4f of all words", steep);
  told("f", "the fraction of all words that is compared with what was typed");
  if (changed) ask(context);
}

void WordsTab::draw_list_choice(Context& context) {
  const Theme& theme = context.theme;
  ImGui::BeginGroup();
  ImGui::PushFont(theme.small);
  ImGui::PushStyleColor(ImGuiCol_Text, theme.muted);
  if (list_)
    ImGui::TextUnformatted(fmt::format("{} words of {}", with_separators(list_->words.size()), list_->name).c_str());
  else
    ImGui::TextUnformatted("no words yet");
  ImGui::PopStyleColor();
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
  if (ImGui::InputTextWithHint("##path", "a file of words, a line each: its path, or drop it here", typed_path_,
                               sizeof typed_path_, ImGuiInputTextFlags_EnterReturnsTrue))
    load(context, typed_path_[0] ? typed_path_ : (context.data / "words.txt.gz").string());
  mark("word list");
  ImGui::PopFont();
  ImGui::EndGroup();
}

void WordsTab::draw_answers(const Theme& theme, ImVec2 size) {
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  if (!result_) {
    ImGui::Dummy(size);
    const char* hint = !list_              ? (busy_ ? "Words are being read …" : "There are no words yet.")
                       : typed_[0] == '\0' ? "The nearest words appear here with every keystroke: at the left every "
                                             "word is compared, at the right few of them."
                                           : "Searching …";
    const ImVec2 extent = ImGui::CalcTextSize(hint);
    ImGui::GetWindowDrawList()->AddText(ImVec2(corner.x + (size.x - extent.x) / 2, corner.y + (size.y - extent.y) / 2),
                                        theme.colour(theme.muted), hint);
    return;
  }
  const ImVec2 half((size.x - 2 * theme.gap) / 2, size.y);
  draw_answer("exact", result_->exact, theme, half);
  ImGui::SameLine(0, 2 * theme.gap);
  draw_answer("index", result_->approximate, theme, half);
}

WordMark WordsTab::mark_of(const WordAnswer& answer, const FoundWord& word) const {
  const bool exact = &answer == &result_->exact;
  const std::vector<FoundWord>& other = (exact ? result_->approximate : result_->exact).words;
  if (std::any_of(other.begin(), other.end(), [&](const FoundWord& one) { return one.number == word.number; }))
    return WordMark::none;
  if (exact) return WordMark::missed;
  return !other.empty() && word.distance <= other.back().distance ? WordMark::tied : WordMark::wrong;
}

void WordsTab::draw_answer(const char* target, const WordAnswer& answer, const Theme& theme, ImVec2 size) {
  const bool exact = &answer == &result_->exact;
  ImGui::PushStyleColor(ImGuiCol_ChildBg, theme.panel);
  begin_child(target, size);
  const ImVec2 corner = ImGui::GetCursorPos();
  ImGui::SetCursorPos(ImVec2(corner.x + theme.gap, corner.y + theme.gap));
  ImGui::PushFont(theme.bold);
  ImGui::TextUnformatted(exact ? "Every word compared" : "Permutation index");
  ImGui::PopFont();
  ImGui::SetCursorPosX(corner.x + theme.gap);
  ImGui::PushFont(theme.small);
  ImGui::PushStyleColor(ImGuiCol_Text, theme.muted);
  const double part = 100 * static_cast<double>(answer.compared) / static_cast<double>(list_->words.size());
  ImGui::TextUnformatted(fmt::format("{} words compared, {} %     device {} ms     whole call {} ms",
                                     with_separators(answer.compared), fmt::format("{:.3g}", part),
                                     significant(answer.device_milliseconds), significant(answer.wall_milliseconds))
                             .c_str());
  ImGui::PopStyleColor();
  ImGui::PopFont();
  ImGui::Spacing();
  for (const FoundWord& word : answer.words)
    if (draw_word(word, mark_of(answer, word), theme, ImGui::GetContentRegionAvail().x)) {
      copy_text(typed_, sizeof typed_, word.text);
      clicked_ = true;
    }
  ImGui::EndChild();
  mark(target);
  ImGui::PopStyleColor();
}

void WordsTab::draw_recall(const Theme& theme, float width) {
  const auto bar = [&](const char* text, const char* target, double part, const char* tip) {
    ImGui::PushFont(theme.small);
    ImGui::TextUnformatted(text);
    ImGui::PopFont();
    ImGui::PushStyleColor(ImGuiCol_PlotHistogram, theme.colour(theme.accent, 0.7f));
    ImGui::ProgressBar(static_cast<float>(part), ImVec2(width, 0),
                       result_ ? fmt::format("{:.1f} %", 100 * part).c_str() : "");
    ImGui::PopStyleColor();
    mark(target);
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", tip);
  };
  bar("recall: of the nearest words, those that the index found", "recall", result_ ? result_->recall.by_identity : 0,
      "the same words, whatever their distances");
  bar("recall with ties: as near as the last of the nearest", "recall with ties",
      result_ ? result_->recall.with_ties : 0, "where several words are equally far, any of them counts");
  badge_.draw(theme);
  draw_letter_legend(theme);
}

void WordsTab::restore(const nlohmann::json& settings) {
  question_.k = std::clamp<std::uint64_t>(settings.value("k", question_.k), 1, most_k);
  question_.permutants = std::clamp<std::uint32_t>(settings.value("m", question_.permutants), 1, most_permutants);
  question_.fraction = std::clamp(settings.value("f", question_.fraction), least_fraction, 1.0);
  question_.distance = proxel::string_distance_from_string(settings.value("distance", std::string("levenshtein")));
  path_ = settings.value("list", std::string());
  copy_text(typed_, sizeof typed_, settings.value("typed", std::string()));
}

nlohmann::json WordsTab::settings() const {
  return {{"k", question_.k},        {"m", question_.permutants},
          {"f", question_.fraction}, {"distance", to_string(question_.distance)},
          {"list", path_},           {"typed", typed_}};
}

nlohmann::json WordsTab::report() const {
  nlohmann::json report = {{"typed", typed_},          {"busy", busy_},
                           {"k", question_.k},         {"m", question_.permutants},
                           {"f", question_.fraction},  {"distance", to_string(question_.distance)},
                           {"badge", badge_.report()}, {"plot", plot_.report()}};
  if (list_) {
    report["words"] = list_->words.size();
    report["list"] = list_->name;
  }
  if (result_) {
    report["device"] = result_->device;
    report["answered"] = result_->question.text;
    report["exact"] = report_of(result_->exact);
    report["index"] = report_of(result_->approximate);
    report["recall"] = {{"by_identity", result_->recall.by_identity}, {"with_ties", result_->recall.with_ties}};
    report["answer_milliseconds"] = answer_milliseconds_;
    report["build_milliseconds"] = result_->build_milliseconds;
  }
  return report;
}

}  // namespace demo
