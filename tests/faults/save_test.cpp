// Files that are saved while the process is killed, the disk is full, or the folder may not be written.
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>
#include <thread>

#include <doctest/doctest.h>
#include <unistd.h>

#include "proxel/data.hpp"
#include "proxel/error.hpp"
#include "proxel/index.hpp"
#include "proxel/permutation.hpp"
#include "proxel/signature_file.hpp"
#include "samples.hpp"
#include "temporary_folder.hpp"

using namespace proxel;
using namespace proxel::faults;

namespace {

using Save = std::function<void(const std::string& path)>;

// A kind of file: two different ones, and what reads them.
struct Kind {
  std::string name;
  Save first, second;
  std::function<void(const std::string& path)> read;
};

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Kind permutations(Device& device) {
  const auto saving = [&device](std::uint64_t count) {
    PermutationOptions options;
    options.permutants = 32;
    const auto index = std::make_shared<PermutationIndex>(device, words(count, 1), options);
    return [index](const std::string& path) { index->save(path); };
  };
  return {"words.permutations", saving(4000), saving(5000),
          [&device](const std::string& path) { PermutationIndex::load(device, path); }};
}

Kind rows(Device& device) {
  const auto saving = [&device](std::uint64_t count) {
    const auto index = std::make_shared<Index>(device, integers(count, 16, 5).view());
    index->remove(std::vector<std::uint32_t>{7});
    return [index](const std::string& path) { index->save(path); };
  };
  return {"rows.index", saving(20000), saving(30000),
          [&device](const std::string& path) { Index::load(device, path); }};
}

Kind pictures() {
  const auto saving = [](std::uint64_t count) {
    const auto file = std::make_shared<SignatureFile>();
    file->signatures = signatures(count, 3);
    return [file](const std::string& path) { write_signature_file(path, *file); };
  };
  return {"pictures.signatures", saving(20000), saving(30000),
          [](const std::string& path) { read_signature_file(path); }};
}

Kind matrices() {
  const auto saving = [](std::uint64_t rows) {
    const auto values = std::make_shared<Matrix<float>>(integers(rows, 16, 4));
    return [values](const std::string& path) { write_matrix(path, values->view()); };
  };
  return {"rows.npy", saving(20000), saving(30000), [](const std::string& path) { read_matrix(path); }};
}

// What a child says with its exit code about a call that should fail.
enum Verdict { was_done = 0, refused = 1, other_error = 2 };

// Runs a call in a process of its own, which `limit` takes something away from.
int in_child(const std::function<void()>& limit, const std::function<void()>& call) {
  const pid_t child = fork();
  if (child == 0) {
    limit();
    int verdict = was_done;
    try {
      call();
    } catch (const Error& error) {
      verdict = error.code() == ErrorCode::input_output ? refused : other_error;
    } catch (...) {
      verdict = other_error;
    }
    _exit(verdict);
  }
  REQUIRE(child > 0);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  return WEXITSTATUS(status);
}

std::size_t files_in(const std::string& folder) {
  const std::filesystem::directory_iterator entries(folder);
  return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
}

// Kills a process that saves one file after the other, at a moment that nobody knows.
void kill_while_saving(const Kind& kind, const std::string& path, std::chrono::microseconds after) {
  const pid_t child = fork();
  if (child == 0)
    while (true) {
      kind.first(path);
      kind.second(path);
    }
  REQUIRE(child > 0);
  std::this_thread::sleep_for(after);
  REQUIRE(kill(child, SIGKILL) == 0);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFSIGNALED(status));
}

std::vector<Kind> kinds() {
  // The device has threads, which a child would not have: it is gone before there is a child.
  setenv("PROXEL_CPU_THREADS", "1", 1);
  static const std::unique_ptr<Device> device = open_device("cpu");
  return {permutations(*device), rows(*device), pictures(), matrices()};
}

}  // namespace

TEST_CASE("a file is whole, the old one or the new one, whenever its writer is killed") {
  const char* asked = std::getenv("PROXEL_FAULTS_KILLS");
  const int kills = asked ? std::atoi(asked) : 60;
  std::mt19937 generator(std::random_device{}());
  for (const Kind& kind : kinds()) {
    const TemporaryFolder folder;
    const std::string path = folder.file(kind.name);
    kind.second(path);
    const std::string second = contents(path);
    kind.first(path);
    const std::string first = contents(path);
    int caught = 0;
    for (int i = 0; i < kills; ++i) {
      kill_while_saving(kind, path, std::chrono::microseconds(generator() % 40'000));
      const std::string found = contents(path);
      const bool whole = found == first || found == second;
      REQUIRE_MESSAGE(whole, kind.name, " has ", found.size(), " bytes after kill ", i);
      kind.read(path);
      // What the dead had begun lies beside it, under a name that says so.
      for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
        if (entry.path() == path) continue;
        CHECK(entry.path().filename().string().find(".part") != std::string::npos);
        std::filesystem::remove(entry.path());
        ++caught;
      }
    }
    MESSAGE(kind.name, ": ", kills, " killed, ", caught, " of them while they wrote; always whole");
    CHECK(caught != 0);
  }
}

TEST_CASE("a disk that is full after any number of bytes leaves the old file") {
  for (const Kind& kind : kinds()) {
    const TemporaryFolder folder;
    const std::string path = folder.file(kind.name);
    kind.second(path);
    const std::uint64_t bytes = std::filesystem::file_size(path);
    kind.first(path);
    const std::string first = contents(path);
    int failed = 0;
    for (std::uint64_t room = 0; room < bytes; room += std::max<std::uint64_t>(bytes / 40, 1), ++failed) {
      // Beyond the limit the kernel refuses to write, as it does on a full disk.
      const int verdict = in_child([&] {
        signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{room, room};
        setrlimit(RLIMIT_FSIZE, &limit);
      }, [&] { kind.second(path); });
      CAPTURE(kind.name);
      CAPTURE(room);
      CHECK(verdict == refused);
      CHECK(contents(path) == first);
      CHECK(files_in(folder.path()) == 1);
    }
    MESSAGE(kind.name, ": refused ", failed, " times, always the old file");
  }
}

TEST_CASE("a folder that may not be written is said to be") {
  for (const Kind& kind : kinds()) {
    const TemporaryFolder folder;
    const std::string path = folder.file(kind.name);
    kind.first(path);
    const std::string first = contents(path);
    chmod(folder.path().c_str(), 0555);
    // The administrator may write everywhere: somebody else tries.
    const auto somebody = [] {
      if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) _exit(3);
    };
    CHECK(in_child(somebody, [&] { kind.second(path); }) == refused);
    CHECK(in_child(somebody, [&] { kind.second(folder.file("another.npy")); }) == refused);
    chmod(folder.path().c_str(), 0755);
    CHECK(contents(path) == first);
    CHECK(files_in(folder.path()) == 1);
  }
}

TEST_CASE("a path that is no place for a file is refused") {
  for (const Kind& kind : kinds()) {
    CAPTURE(kind.name);
    const TemporaryFolder folder;
    CHECK(in_child([] {}, [&] { kind.first(folder.file("missing/" + kind.name)); }) == refused);
    CHECK(files_in(folder.path()) == 0);
    // A device that is always full, and a folder of that name.
    std::filesystem::create_symlink("/dev/full", folder.file(kind.name));
    CHECK(in_child([] {}, [&] { kind.first(folder.file(kind.name)); }) == refused);
    CHECK(std::filesystem::is_character_file(folder.file(kind.name)));
    std::filesystem::remove(folder.file(kind.name));
    std::filesystem::create_directory(folder.file(kind.name));
    CHECK(in_child([] {}, [&] { kind.first(folder.file(kind.name)); }) == refused);
    CHECK(files_in(folder.path()) == 1);
  }
}
