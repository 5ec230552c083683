#include "bench/papers/exhibit.hpp"

#include <algorithm>

namespace proxel::tool::papers {
namespace {

constexpr std::string_view host = "host";

// Whether a row can be what another is divided into.
bool same_place(const Row& over, const Row& of) {
  return over.of_paper == of.of_paper && over.curve == of.curve && over.x == of.x &&
         (over.of_paper || over.device == host || over.device == of.device);
}

}  // namespace

std::string_view to_string(Role role) {
  switch (role) {
    case Role::faithful:
      return "paper's method";
    case Role::rival:
      return "rival";
    case Role::one_thread:
      return "one thread";
    case Role::all_threads:
      return "all threads";
    case Role::best:
      return "best today";
  }
  return "";
}

std::string_view to_string(Source source) {
  switch (source) {
    case Source::digits:
      return "digits";
    case Source::prose:
      return "prose";
    case Source::measured:
      return "measured";
    case Source::computed:
      return "computed";
  }
  return "";
}

std::string_view to_string(Combine combine) {
  switch (combine) {
    case Combine::mean:
      return "mean";
    case Combine::largest:
      return "largest";
    case Combine::smallest:
      return "smallest";
    case Combine::at_last:
      return "at the largest x";
    case Combine::growth:
      return "at the largest x by that at the smallest";
    case Combine::spread:
      return "largest by smallest";
  }
  return "";
}

void add_ratios(Exhibit& exhibit, const Ratio& ratio) {
  std::vector<Row> made;
  for (const Row& of : exhibit.rows) {
    if (of.quantity != ratio.from || of.y <= 0 || !of.method.starts_with(ratio.of_method)) continue;
    if (std::find(ratio.of.begin(), ratio.of.end(), of.role) == ratio.of.end()) continue;
    const auto over = std::find_if(exhibit.rows.begin(), exhibit.rows.end(), [&](const Row& row) {
      return row.quantity == ratio.from && row.role == ratio.over && row.method.starts_with(ratio.over_method) &&
             same_place(row, of);
    });
    if (over == exhibit.rows.end()) continue;
    Row row = of;
    row.source = Source::computed;
    row.quantity = ratio.quantity;
    row.y = over->y / of.y;
    made.push_back(std::move(row));
  }
  exhibit.rows.insert(exhibit.rows.end(), made.begin(), made.end());
}

}  // namespace proxel::tool::papers
