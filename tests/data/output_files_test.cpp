#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <thread>

#include "proxel/graph.hpp"
#include "proxel/output_files.hpp"
#include "support.hpp"

using namespace proxel;
using namespace proxel::testing;

namespace fs = std::filesystem;

namespace {

const float one_value = 1;
const MatrixView<float> one(&one_value, 1, 1);

void write_new(const std::string& place) { std::ofstream(place) << "new"; }

// Every way in which the library writes a file.
void write_each_way(const TemporaryFolder& folder, const std::function<void(const std::string& name)>& check) {
  write_matrix(folder.file("a.fbin"), one);
  check("a.fbin");
  if (npz_support()) {
    write_npz(folder.file("a.npz"), CsrGraph{1, 1, {0, 1}, {0}, {1.0f}});
    check("a.npz");
  }
  OutputFiles files;
  files.add(folder.file("a.csv"), write_new);
  files.commit();
  check("a.csv");
}

}  // namespace

TEST_SUITE("output") {
TEST_CASE("files appear together, and nothing beside them") {
  const TemporaryFolder folder;
  folder.write("a", "old");
  OutputFiles files;
  files.add(folder.file("a"), write_new);
  files.add(folder.file("b"), write_new);
  CHECK(read_bytes(folder.file("a")) == "old");
  CHECK(!fs::exists(folder.file("b")));
  files.commit();
  CHECK(read_bytes(folder.file("a")) == "new");
  CHECK(read_bytes(folder.file("b")) == "new");
  CHECK(folder.entries() == 2);
}

TEST_CASE("what is not committed leaves nothing") {
  const TemporaryFolder folder;
  folder.write("a", "old");
  {
    OutputFiles files;
    files.add(folder.file("a"), write_new);
    files.add(folder.file("b"), write_new);
  }
  CHECK(read_bytes(folder.file("a")) == "old");
  CHECK(folder.entries() == 1);
}

TEST_CASE("when one cannot take its place, those before it give theirs back") {
  const TemporaryFolder folder;
  folder.write("a", "old");
  OutputFiles files;
  for (const char* name : {"a", "b", "c", "d"}) files.add(folder.file(name), write_new);
  fs::create_directory(folder.file("c"));
  check_error([&] { files.commit(); }, ErrorCode::input_output, folder.file("c"),
              "cannot be put in place: Is a directory");
  CHECK(read_bytes(folder.file("a")) == "old");
  CHECK(!fs::exists(folder.file("b")));
  CHECK(fs::is_directory(folder.file("c")));
  CHECK(!fs::exists(folder.file("d")));
  files = OutputFiles();
  CHECK(folder.entries() == 2);
}

TEST_CASE("errors of a writer name the file, not the place beside it") {
  const TemporaryFolder folder;
  OutputFiles files;
  check_error([&] {
    files.add(folder.file("a.npy"),
              [](const std::string& place) { write_matrix(place, MatrixView<float>(&one_value, 1, 0)); });
  }, ErrorCode::invalid_argument, folder.file("a.npy"), "a matrix without columns cannot be written");
  check_error([&] { files.stage(folder.file(".")); }, ErrorCode::input_output, folder.file("."),
              "exists and is not a regular file");
}

TEST_CASE("the place has the file's ending, however long its name is") {
  const TemporaryFolder folder;
  OutputFiles files;
  for (const char* ending : {".npy", ".csv.gz", ".html", ""}) {
    const std::string path = folder.file(std::string(255 - std::strlen(ending), 'x') + ending);
    const std::string place = files.stage(path);
    CHECK(place.ends_with("part" + std::string(ending)));
    CHECK(fs::path(place).parent_path() == fs::path(path).parent_path());
    write_new(place);
  }
  files.commit();
  CHECK(folder.entries() == 4);
}

TEST_CASE("a replaced file keeps its mode") {
  const TemporaryFolder folder;
  for (const mode_t mode : {0600, 0640, 0755, 0444}) {
    for (const char* name : {"a.fbin", "a.npz", "a.csv"}) {
      folder.write(name, "old");
      REQUIRE(chmod(folder.file(name).c_str(), mode) == 0);
    }
    write_each_way(folder, [&](const std::string& name) {
      CAPTURE(name);
      struct stat status{};
      REQUIRE(stat(folder.file(name).c_str(), &status) == 0);
      CHECK((status.st_mode & 07777) == mode);
      CHECK(read_bytes(folder.file(name)) != "old");
      fs::remove(folder.file(name));
    });
  }
}

TEST_CASE("a symbolic link stays one, and its target is replaced") {
  const TemporaryFolder folder, elsewhere;
  for (const std::string name : {"a.fbin", "a.npz", "a.csv"}) {
    elsewhere.write(name, "old");
    // Over a second link, relative to its own folder; a.csv's target does not exist yet.
    fs::create_symlink(elsewhere.file(name), elsewhere.file("to-" + name));
    fs::create_symlink(fs::path("..") / fs::path(elsewhere.file(".")).parent_path().filename() / ("to-" + name),
                       folder.file(name));
  }
  fs::remove(elsewhere.file("a.csv"));
  write_each_way(folder, [&](const std::string& name) {
    CAPTURE(name);
    CHECK(fs::is_symlink(folder.file(name)));
    CHECK(fs::is_symlink(elsewhere.file("to-" + name)));
    CHECK(fs::is_regular_file(fs::symlink_status(elsewhere.file(name))));
    CHECK(read_bytes(elsewhere.file(name)) != "old");
  });
  fs::create_symlink("itself", folder.file("itself"));
  check_error([&] { write_matrix(folder.file("itself"), one); }, ErrorCode::unsupported, folder.file("itself"),
              "floats can be written as .npy, .csv, .fvecs or .fbin");
  OutputFiles files;
  check_error([&] { files.stage(folder.file("itself")); }, ErrorCode::input_output, folder.file("itself"),
              "is a symbolic link that leads nowhere");
}

// In a thread of its own process: afterwards nothing appears in it any more.
TEST_CASE("unfinished files are removed before an end by force") {
  const TemporaryFolder folder;
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    OutputFiles files;
    files.add(folder.file("a"), write_new);
    // As libzip does, beside what it writes.
    write_new(files.stage(folder.file("b")) + ".x8Yz2c");
    std::thread([] {
      remove_unfinished_files();
      _exit(7);
    }).join();
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WEXITSTATUS(status) == 7);
  CHECK(folder.entries() == 0);
}
}  // namespace suite
