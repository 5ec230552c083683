#include "ranks/team.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>

#include <CLI/CLI.hpp>
#include <dlfcn.h>
#include <fmt/format.h>

#include "console.hpp"
#include "exit_code.hpp"
#include "interrupt.hpp"
#include "lost_file.hpp"
#include "module.h"
#include "program.hpp"
#include "progress_bar.hpp"
#include "proxel/error.hpp"

namespace proxel::tool {
namespace {

// What proxel_mpi.so does.
class ModuleRanks : public Ranks {
 public:
  explicit ModuleRanks(const ProxelMpiRanks& module) : module_(module) {}
  std::uint32_t rank() const override { return module_.rank; }
  std::uint32_t size() const override { return module_.size; }
  void send(std::span<const std::byte> bytes, std::uint32_t to) override {
    module_.send(bytes.data(), bytes.size(), to);
  }
  void receive(std::span<std::byte> bytes, std::uint32_t from) override {
    module_.receive(bytes.data(), bytes.size(), from);
  }
  void warn(std::uint64_t call) override { module_.warn(call); }
  bool warned(std::uint64_t call) override { return module_.warned(call) != 0; }
  [[noreturn]] void abort(std::string_view why) override {
    if (is_interrupted()) abort_interrupted();
    abort(why, exit_device_failure);
  }
  [[noreturn]] void abort_interrupted() {
    abort(fmt::format("interrupted (on rank {} of {})", rank(), size()), interrupted_exit_code());
  }
  [[noreturn]] void abort(std::string_view why, int code) {
    module_.abort(why.data(), why.size(), code);
    std::abort();
  }
  void leave() { module_.leave(); }

 private:
  const ProxelMpiRanks& module_;
};

// Until leave_team().
std::unique_ptr<ModuleRanks> joined;

std::string module_path() {
#ifdef PROXEL_MPI_MODULE
  std::error_code unknown;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", unknown);
  return unknown ? std::string() : (program.parent_path() / PROXEL_MPI_MODULE).lexically_normal().string();
#else
  return {};
#endif
}

[[noreturn]] void cannot_join(const Launch& launch, const std::string& why) {
  throw Error(
      ErrorCode::unsupported, "--mpi",
      fmt::format("{} says that {} processes were started to work together, {}; '--mpi off' has each run on its own",
                  launch.told_by, launch.size, why));
}

void join_others(const Launch& launch) {
  const std::string path = module_path();
  if (path.empty()) cannot_join(launch, "and this program was built without MPI (docs/several-machines.md)");
  // MPI's own plug-ins look for its symbols among those of the whole program.
  void* const module = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (!module) cannot_join(launch, fmt::format("and what this program does that by cannot be loaded: {}", dlerror()));
  auto* const join = reinterpret_cast<ProxelMpiJoin*>(dlsym(module, PROXEL_MPI_JOIN));
  if (!join) cannot_join(launch, fmt::format("and {} is of another version", path));
  const char *library = "", *why = "";
  const ProxelMpiRanks* const ranks = join(&library, &why);
  if (!ranks) cannot_join(launch, fmt::format("and MPI refuses: {}", why));
  joined = std::make_unique<ModuleRanks>(*ranks);
  if (joined->size() == launch.size) return;
  const auto found = joined->size();
  leave_team(exit_bad_input);
  cannot_join(launch,
              fmt::format("but {}, which this program was built with, finds {}: start it by the mpirun of that MPI",
                          library, found));
}

class Several : public Team {
 public:
  explicit Several(std::uint32_t local) : local_(local) {}
  Ranks* ranks() const override { return joined.get(); }
  std::uint32_t local() const override { return local_; }
  void together(const std::function<void()>& work) const override { do_together(*joined, work); }

 private:
  std::uint32_t local_;
};

class Alone : public Team {};

// Ends all processes, which would wait for this one for ever.
[[noreturn]] void end_all(const std::string& subject, const std::string& why, int code) {
  joined->abort(
      fmt::format("{}: {} (on rank {} of {})", one_line(subject), one_line(why), joined->rank(), joined->size()), code);
}

}  // namespace

Team::~Team() = default;

void add_mpi_option(CLI::App& command, JoinRanks& join) {
  static const std::map<std::string, JoinRanks> choices = {
      {"auto", JoinRanks::automatic}, {"on", JoinRanks::always}, {"off", JoinRanks::never}};
  command
      .add_option_function<std::string>(
          "--mpi", [&join](const std::string& name) { join = choices.at(name); },
          "Whether the processes that mpirun started search together, each a part of the rows: 'mpirun -n 4 proxel …'. "
          "--database is divided, or has a file for each: rows-{rank}.npy; --device is one for all, one for each, or "
          "cuda:{local}, the number on its machine (docs/several-machines.md)")
      ->check(CLI::IsMember({"auto", "on", "off"}))
      ->type_name("WHEN")
      ->default_str("auto");
}

std::uint64_t Team::sum(std::uint64_t mine) const { return ranks() ? add_together(*ranks(), mine) : mine; }

std::string Team::named(const std::string& pattern) const {
  std::string name = pattern;
  const std::array<std::pair<std::string, std::uint32_t>, 2> places = {{{"{rank}", rank()}, {"{local}", local()}}};
  if (is_several())
    for (const auto& [place, number] : places)
      for (std::size_t at = name.find(place); at != std::string::npos; at = name.find(place, at))
        name.replace(at, place.size(), std::to_string(number));
  return name;
}

int run_as_team(JoinRanks join, bool json, const std::function<int(const Team& team)>& action) {
  const auto launch = join == JoinRanks::never ? std::nullopt : launched();
  if (!launch) {
    if (join == JoinRanks::always)
      throw Error(ErrorCode::unsupported, "--mpi", "no mpirun has started this process; 'mpirun -n 4 proxel …' does");
    return action(Alone());
  }
  join_others(*launch);
  // What MPI loads may have a handler of its own, which says less.
  name_lost_files("proxel");
  // Some launchers give each process a terminal, whatever their own output goes to.
  be_plain();
  const Several team(launch->local);
  if (!team.leads()) {
    want_progress(false);
    be_silent();
    say_when_interrupted("", "");
  }
  try {
    return action(team);
  } catch (const Interrupted&) {
    if (!joined->has_told()) joined->abort_interrupted();
    throw;
  } catch (const std::exception& error) {
    if (joined->has_told()) throw;
    const auto* const known = dynamic_cast<const Error*>(&error);
    if (json && team.leads() && known) report_error(json, to_string(known->code()), known->subject(), reason(*known));
    end_all(known ? known->subject() : "proxel", known ? reason(*known) : error.what(), exit_code_of(error));
  }
}

int leave_team(int code) {
  if (!joined) return code;
  // A launcher ends all when one has failed, which is not to keep the first from telling why.
  auto ended = static_cast<std::byte>(code);
  const std::uint32_t size = joined->size(), own = joined->rank();
  if (own != 0) joined->send({&ended, 1}, 0);
  for (std::uint32_t rank = 1; own == 0 && rank < size; ++rank) {
    std::byte other = {};
    joined->receive({&other, 1}, rank);
    ended = std::max(ended, other);
  }
  for (std::uint32_t rank = 1; own == 0 && rank < size; ++rank) joined->send({&ended, 1}, rank);
  if (own != 0) joined->receive({&ended, 1}, 0);
  joined->leave();
  joined.reset();
  return static_cast<int>(ended);
}

}  // namespace proxel::tool
