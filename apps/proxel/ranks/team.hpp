#pragma once

// The processes that mpirun has started to search together, as each of them sees them; in a plain run there is this one alone.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "command_line.hpp"
#include "proxel/ranks.hpp"
#include "ranks/launcher.hpp"

namespace proxel::tool {

/// When processes that a launcher has started search together.
enum class JoinRanks { automatic, always, never };

/// Adds --mpi.
void add_mpi_option(CLI::App& command, JoinRanks& join);

/// What a command does as one of several processes, or as the only one. Every function is called by all of them alike.
class Team {
 public:
  virtual ~Team();

  /// Whether there are others, or could be: the search is one by MPI.
  bool is_several() const { return ranks() != nullptr; }
  /// Null in a plain run.
  virtual Ranks* ranks() const { return nullptr; }
  std::uint32_t rank() const { return ranks() ? ranks()->rank() : 0; }
  std::uint32_t size() const { return ranks() ? ranks()->size() : 1; }
  /// Whether this process reads what only one needs, prints and writes.
  bool leads() const { return rank() == 0; }
  /// This process's number among those of its host.
  virtual std::uint32_t local() const { return 0; }

  /// Does a part of a piece of work in each process. What it throws in one is thrown in all.
  virtual void together(const std::function<void()>& work) const { work(); }
  /// The same where only the first has something to do.
  void first(const std::function<void()>& work) const {
    together([&] {
      if (leads()) work();
    });
  }
  /// The sum of a number of each process.
  std::uint64_t sum(std::uint64_t mine) const;

  /// Puts numbers of this process for {rank} and {local}.
  std::string named(const std::string& pattern) const;

 protected:
  Team() = default;
};

/// Runs a command's action alone or, where a launcher has started this process, as one of several. Only the first of
/// them prints. What is thrown in one of them and not told to the others ends all of them, with a message.
/// Throws Error(unsupported) where several were started and this program cannot join them.
/// @return what the action returns
int run_as_team(JoinRanks join, bool json, const std::function<int(const Team& team)>& action);

/// Ends the company of the others, if there is any: after everything else, when all has been printed.
/// @return the largest exit code of all, that of the rank that failed: the others have one of bad input, and a launcher tells that
///         of whichever ends first
int leave_team(int code);

}  // namespace proxel::tool
