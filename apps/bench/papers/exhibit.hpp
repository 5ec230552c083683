#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace proxel::tool::papers {

/// Who a row is of, in the paper as well as here.
enum class Role {
  faithful,     ///< the paper's own method
  rival,        ///< a method on a GPU that the paper compares its own with
  one_thread,   ///< the processor's baseline, on one of its threads
  all_threads,  ///< the same on all
  best,         ///< the best method that there is today
};
/// "paper's method", "rival", "one thread", "all threads", "best today".
std::string_view to_string(Role role);

/// Where a value comes from.
enum class Source {
  digits,    ///< printed in the paper
  prose,     ///< what a sentence of the paper says, drawn where its figure has no digits in the text
  measured,  ///< by this run
  computed,  ///< from rows of the same exhibit: a speed-up
};
std::string_view to_string(Source source);

/// One point of a curve, or one cell of a table.
struct Row {
  bool of_paper = false;  ///< the paper's own, not this run's
  Role role = Role::faithful;
  Source source = Source::measured;
  std::string device;    ///< an id, "host" for baselines, the paper's hardware
  std::string method;    ///< "texel, t = 8"
  std::string curve;     ///< what tells curves of one method apart, "k = 64"; may be empty
  double x = 0;          ///< where there are categories, the number of one
  std::string quantity;  ///< one of the exhibit's
  double y = 0;
};

/// What is measured, and how it is drawn: a chart for each quantity and curve.
struct Quantity {
  std::string name;  ///< "time"
  std::string unit;  ///< "ms", "×"
  bool charted = true;
  bool log_y = true;
};

/// How a claim's number is made from the rows that it is about.
enum class Combine {
  mean,      ///< of all values
  largest,   ///< of all values
  smallest,  ///< of all values
  at_last,   ///< at the largest x; of several curves the one that is worst for the claim
  growth,    ///< at the largest x, divided by that at the smallest; the worst curve
  spread,    ///< the largest of a curve divided by its smallest; the worst curve
};
std::string_view to_string(Combine combine);

enum class Direction { at_least, at_most };

/// What the paper says of an exhibit, as a number that rows can be held against.
struct Claim {
  std::string words;                ///< the paper's sentence, or what it amounts to
  std::string quantity;             ///< of which rows
  Combine combine = Combine::mean;  ///< how one number is made of them
  Direction direction = Direction::at_least;
  double number = 0;                     ///< in the quantity's unit; of growth and spread a ratio
  std::string method = {};               ///< only rows whose method begins so; empty: all of the paper's method
  std::vector<std::string> curves = {};  ///< only these; empty: all
  std::optional<double> at = {};         ///< only at this x
};

/// A table or figure of a paper that measures something: what the paper has, and what this run found.
struct Exhibit {
  std::string paper;    ///< "bustos"
  std::string name;     ///< "figure 3 (left)"
  std::string caption;  ///< the paper's caption or section, and where its digits come from
  std::string data;     ///< what was searched here, and how it was made where it is not the paper's
  std::string x_label;
  bool log_x = true;
  std::vector<std::string> categories = {};  ///< names of x = 0, 1, …, where x is no number: drawn as bars
  std::vector<Quantity> quantities = {};
  std::vector<Claim> claims = {};
  std::vector<Row> rows = {};
  std::vector<std::string> absent = {};  ///< what the paper compares with and this run could not, and why
};

/// Adds rows of a quantity: those of `over` divided by those of the roles `of`, in quantity `from`, at the same
/// curve and x; on the same device where `over` ran on one, and never the paper's by ours.
/// @param over_method  only rows of `over` whose method begins so
/// @param of_method    the same of what is divided by
struct Ratio {
  std::string quantity;
  std::string from;
  Role over;
  std::string over_method;
  std::vector<Role> of;
  std::string of_method;
};
void add_ratios(Exhibit& exhibit, const Ratio& ratio);

}  // namespace proxel::tool::papers
