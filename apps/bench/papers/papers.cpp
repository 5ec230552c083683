#include "bench/papers/papers.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "bench/outcome.hpp"
#include "bench/papers/page.hpp"
#include "devices.hpp"
#include "json_output.hpp"
#include "outputs.hpp"
#include "write_text.hpp"

namespace proxel::tool::papers {
namespace {

std::vector<Paper> chosen_papers(const BenchOptions& options, const Choice& choice) {
  std::vector<Paper> chosen;
  for (const Paper& paper : all_papers())
    if (choice.papers.empty() || std::ranges::find(choice.papers, paper.name) != choice.papers.end())
      chosen.push_back(paper);
  if (options.data.empty()) return chosen;
  if (chosen.size() != 1) throw Error(ErrorCode::invalid_argument, "--data", "is for one paper: --paper says which");
  if (chosen.front().data.empty())
    throw Error(ErrorCode::invalid_argument, "--data", fmt::format("{} takes none", chosen.front().name));
  return chosen;
}

std::vector<Judged> judged_devices(const std::vector<std::string>& ids) {
  std::vector<Judged> devices;
  for (const std::string& id : ids) devices.push_back({id, open_checked(id)->capabilities().runs_on_host});
  return devices;
}

constexpr const char* quick_warning =
    "--quick: these are not the papers' sizes, so that verdicts show that everything runs and nothing about the "
    "papers.";

std::string beside(const std::string& page) { return std::filesystem::path(page).replace_extension(".csv").string(); }

nlohmann::ordered_json document(const BenchOptions& options, const std::vector<Exhibit>& exhibits,
                                const std::vector<Judged>& devices, const Recorder& recorder) {
  return {{"command", "bench"},
          {"suite", "papers"},
          {"devices", options.devices},
          {"seed", options.seed},
          {"exhibits", to_json(exhibits, devices)},
          {"notes", recorder.notes()},
          {"differences", recorder.differences()},
          {"failures", recorder.failures()},
          {"verdict", verdict(recorder)}};
}

}  // namespace

const Paper& paper_named(const std::string& name) {
  return *std::ranges::find_if(all_papers(), [&](const Paper& paper) { return paper.name == name; });
}

const std::vector<Paper>& all_papers() {
  static const std::vector<Paper> all = {
      {"bustos", "Bustos 2006",
       "Bustos, Deussen, Hiller, Keim: A Graphics Hardware Accelerated Algorithm for Nearest Neighbor Search, 2006",
       "rows of figure 4's first data set", bustos},
      {"garcia", "Garcia 2010",
       "Garcia, Debreuve, Nielsen, Barlaud: K-nearest neighbor search: fast GPU-based implementations and application "
       "to "
       "high-dimensional feature matching, 2010",
       "features of figure 3", garcia},
      {"komarov", "Komarov 2013",
       "Komarov, Dashti, D'Souza: Fast k-NNG construction with GPU-based quick multi-select, 2013", "", komarov},
      {"lopresti", "Lopresti 2013",
       "Lopresti, Miranda, Piccoli, Reyes: Solving Multiple Queries through a Permutation Index in GPU, 2013",
       "words, one a line", lopresti},
      {"krulis", "Krulis 2011",
       "Krulis, Lokoc, Beecks, Skopal, Seidl: Processing the Signature Quadratic Form Distance on Many-Core GPU "
       "Architectures, 2011",
       "a file of feature signatures", krulis}};
  return all;
}

int run(const BenchOptions& options, const Choice& choice, const Context& context) {
  const std::vector<Paper> papers = chosen_papers(options, choice);
  Outputs outputs(choice.force, {options.data});
  if (!choice.report.empty()) {
    outputs.plan("--report", choice.report, FileKind::page);
    outputs.plan("--report", beside(choice.report), FileKind::exhibits);
  }
  const std::vector<Judged> devices = judged_devices(options.devices);
  Recorder recorder(false);
  if (options.quick) recorder.note(quick_warning);
  std::vector<Exhibit> exhibits;
  {
    ProgressBar bar("bench papers");
    for (const Paper& paper : papers) {
      bar.set_title("bench papers: " + paper.title);
      for (Exhibit& exhibit : paper.measure(options, recorder, bar)) exhibits.push_back(std::move(exhibit));
    }
    bar.finish();
  }
  if (!choice.report.empty()) {
    Report report = page(exhibits, devices, recorder);
    report.origin(context.command_line);
    outputs.write(choice.report, [&](const std::string& place) { report.write(place); });
    outputs.write(beside(choice.report), [&](const std::string& place) { write_text(place, csv(exhibits)); });
    outputs.commit();
  }
  if (context.json) {
    print(document(options, exhibits, devices, recorder));
  } else if (choice.csv) {
    fmt::print("{}", csv(exhibits));
    flush_stdout();
  } else {
    verdicts(exhibits, devices).print();
    fmt::print("\n");
    for (const Judged& device : devices) fmt::print("{}\n", tally(exhibits, device));
    for (const std::string& note : recorder.notes()) fmt::print("{}\n", note);
    if (!choice.report.empty()) fmt::print("wrote {} and {}\n", choice.report, beside(choice.report));
    fmt::print("verdict: {}\n", styled(exit_code(recorder) == 0 ? Style::good : Style::bad, verdict(recorder)));
  }
  return exit_code(recorder);
}

}  // namespace proxel::tool::papers
