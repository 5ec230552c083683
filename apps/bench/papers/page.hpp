#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "bench/papers/exhibit.hpp"
#include "bench/papers/judging.hpp"
#include "bench/recorder.hpp"
#include "report/report.hpp"
#include "table.hpp"

namespace proxel::tool::papers {

/// "Bustos 2006, figure 3 (left)"
std::string full_name(const Exhibit& exhibit);

/// Every row of every exhibit as comma-separated values under a heading.
std::string csv(const std::vector<Exhibit>& exhibits);

/// Exhibits with their rows, claims and what became of them.
nlohmann::ordered_json to_json(const std::vector<Exhibit>& exhibits, const std::vector<Judged>& devices);

/// One line a claim and device: what the paper says, what was measured, the verdict.
Table verdicts(const std::vector<Exhibit>& exhibits, const std::vector<Judged>& devices);

/// The page: all verdicts, then each exhibit with its claims, charts and rows.
Report page(const std::vector<Exhibit>& exhibits, const std::vector<Judged>& devices, const Recorder& recorder);

}  // namespace proxel::tool::papers
