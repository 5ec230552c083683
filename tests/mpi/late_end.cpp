// Preloaded into ranks: the first one takes longer to end than mpirun waits for.
#include <cstdlib>
#include <string_view>

#include <unistd.h>

namespace {

bool leads() {
  for (const char* const name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK"})
    if (const char* const rank = std::getenv(name)) return std::string_view(rank) == "0";
  return false;
}

struct EndsLate {
  ~EndsLate() {
    if (leads()) sleep(3);
  }
} ends_late;

}  // namespace
