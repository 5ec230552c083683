#pragma once

#include <memory>
#include <optional>
#include <string>

#include "shell/badge.hpp"
#include "shell/plot.hpp"
#include "shell/searches.hpp"
#include "shell/tab.hpp"
#include "words/word_search.hpp"
#include "words/word_view.hpp"

namespace demo {

/// Lopresti 2013: the nearest words with every keystroke, all words compared and by the
/// permutation index, side by side.
class WordsTab : public Tab {
 public:
  const char* name() const override { return "Words"; }
  const char* about() const override { return "Find the words nearest to what you type, exactly and by an index"; }
  void open(Context& context) override;
  void draw(Context& context) override;
  bool drop(Context& context, std::span<const std::string> paths) override;
  std::vector<std::pair<std::string, std::string>> keys() const override;
  void restore(const nlohmann::json& settings) override;
  nlohmann::json settings() const override;
  nlohmann::json report() const override;

 private:
  using List = std::shared_ptr<const WordList>;

  void load(Context& context, const std::string& path);
  void ask(Context& context);
  void show(Context& context, const List& of, WordResult result, double milliseconds);
  void compare(Context& context);

  void draw_question(Context& context);
  void draw_list_choice(Context& context);
  void draw_answers(const Theme& theme, ImVec2 size);
  void draw_answer(const char* target, const WordAnswer& answer, const Theme& theme, ImVec2 size);
  void draw_recall(const Theme& theme, float width);
  WordMark mark_of(const WordAnswer& answer, const FoundWord& word) const;

  std::string path_;  // of the list; empty: the bundled one
  char typed_[256] = "";
  char typed_path_[1024] = "";
  int last_frame_ = -1;   // that drew the tab
  bool clicked_ = false;  // a word, which is typed now
  List list_;
  std::shared_ptr<Searches<WordSearch, WordList>> searches_ = std::make_shared<Searches<WordSearch, WordList>>();
  WordQuestion question_;
  WordQuestion asked_;
  std::string asked_device_;
  std::optional<WordResult> result_;
  double answer_milliseconds_ = 0;  // from asking to showing
  bool busy_ = false;
  Plot plot_;
  Badge badge_;
};

}  // namespace demo
