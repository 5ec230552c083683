#include "ranks/launcher.hpp"

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace proxel::tool {
namespace {

std::optional<std::uint32_t> number_in(const char* variable) {
  const char* const text = variable ? std::getenv(variable) : nullptr;
  if (!text) return std::nullopt;
  const std::string_view digits = text;
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

struct Variables {
  const char *rank, *size, *local;
};

}  // namespace

std::optional<Launch> launched() {
  // Open MPI's mpirun; that of MPICH, Intel and Cray, and Slurm's srun --mpi=pmi2; what has PMIx, such as srun --mpi=pmix.
  static constexpr Variables launchers[] = {
      {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"},
      {"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID"},
      {"PMIX_RANK", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID"}};
  for (const Variables& names : launchers) {
    const auto rank = number_in(names.rank), size = number_in(names.size);
    if (!rank || !size || *rank >= *size) continue;
    return Launch{names.rank, *rank, *size,
                  number_in(names.local).value_or(number_in("SLURM_LOCALID").value_or(*rank))};
  }
  return std::nullopt;
}

}  // namespace proxel::tool
