#include <fmt/format.h>

#include "bench/papers/page.hpp"
#include "csv_field.hpp"

namespace proxel::tool::papers {

std::string csv(const std::vector<Exhibit>& exhibits) {
  std::string text = "paper,exhibit,whose,role,device,method,curve,x_label,x,quantity,y,source\n";
  for (const Exhibit& exhibit : exhibits)
    for (const Row& row : exhibit.rows)
      text += fmt::format("{},{},{},{},{},{},{},{},{:g},{},{:.6g},{}\n", csv_field(exhibit.paper),
                          csv_field(exhibit.name), row.of_paper ? "paper" : "proxel", csv_field(to_string(row.role)),
                          csv_field(row.device), csv_field(row.method), csv_field(row.curve),
                          csv_field(exhibit.x_label), row.x, csv_field(row.quantity), row.y, to_string(row.source));
  return text;
}

}  // namespace proxel::tool::papers
