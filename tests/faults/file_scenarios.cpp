#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include "index_scenarios.hpp"
#include "proxel/data.hpp"
#include "proxel/index.hpp"
#include "proxel/permutation.hpp"
#include "proxel/signature_file.hpp"
#include "samples.hpp"
#include "scenarios.hpp"

namespace proxel::faults {
namespace {

namespace files = std::filesystem;
using Write = std::function<void(const std::string& path)>;

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A file replaces another: afterwards one of the two is there, and nothing else.
Scenario replacing(const std::string& folder, const std::string& name, const Write& before, const Write& after) {
  const std::string path = (files::path(folder) / name).string();
  before(path);
  const std::string old = contents(path);
  after(path);
  const std::string fresh = contents(path);
  files::remove(path);
  return {"replace " + name, [=] {
    before(path);
    const auto done = std::make_shared<bool>(false);
    return Trial{[=] {
      after(path);
      *done = true;
    }, [=] {
      const std::string found = contents(path);
      expect(found == fresh || (!*done && found == old), "neither the old file nor the new one");
      const auto entries = files::directory_iterator(folder);
      expect(std::distance(begin(entries), end(entries)) == 1, "something else is left");
      files::remove(path);
    }};
  }};
}

// A file is read. @param read  returns a value that can be compared
template <typename Read>
Scenario reading(const std::string& folder, const std::string& name, const Write& write, const Read& read) {
  const std::string path = (files::path(folder) / name).string();
  write(path);
  const auto expected = std::make_shared<decltype(read(path))>(read(path));
  files::remove(path);
  return {"read " + name, [=] {
    write(path);
    const auto found = std::make_shared<std::optional<decltype(read(path))>>();
    return Trial{[=] { found->emplace(read(path)); }, [=] {
      expect(!*found || **found == *expected, "something else was read");
      expect(read(path) == *expected, "something else is read afterwards");
      files::remove(path);
    }};
  }};
}

SignatureFile signature_file(std::uint32_t seed) {
  SignatureFile file;
  file.signatures = signatures(20, seed);
  for (int i = 0; i < 20; ++i) file.names.push_back("a picture with a long name, " + std::to_string(i));
  file.recipe = "{}";
  return file;
}

void write_text(const std::string& path) { std::ofstream(path) << "x,y,z\n1,2,3\n4.5,-6,7e3\n8,9,10\n"; }

}  // namespace

std::vector<Scenario> file_scenarios(Device& device, const std::string& folder) {
  std::vector<Scenario> all;
  const auto saved = [&device](std::uint32_t seed) {
    PermutationOptions options;
    options.permutants = 5;
    const auto index = std::make_shared<PermutationIndex>(device, words(30 + seed, seed), options);
    return [index](const std::string& path) { index->save(path); };
  };
  const auto load = [&device](const std::string& path) {
    PermutationIndex index = PermutationIndex::load(device, path);
    const Neighbors found = index.search(words(3, 9), 2, 0.5);
    return std::pair(found.indices, found.distances);
  };
  all.push_back(replacing(folder, "words.permutations", saved(1), saved(2)));
  all.push_back(reading(folder, "words.permutations", saved(1), load));

  const auto index = [&device](std::uint32_t seed) {
    const auto made = std::make_shared<Index>(device, integers(300 + seed, 5, seed).view());
    made->remove(std::vector<std::uint32_t>{seed});
    return [made](const std::string& path) { made->save(path); };
  };
  // Rows that are uploaded, and rows that are streamed from the file.
  for (const std::uint64_t memory_limit : {0, 6000}) {
    const auto open = [&device, memory_limit](const std::string& path) {
      Index loaded = Index::load(device, path, {.memory_limit = memory_limit});
      expect((loaded.block_rows() != 0) == (memory_limit != 0),
             "rows are streamed where they should not be, or the other way round");
      const Neighbors found = loaded.search(integers(3, 5, 9).view(), 4, Metric::l1);
      return std::pair(found.indices, found.distances);
    };
    all.push_back(reading(folder, memory_limit == 0 ? "rows.index" : "streamed.index", index(1), open));
  }
  all.push_back(replacing(folder, "rows.index", index(1), index(2)));

  const auto pictures = [](std::uint32_t seed) {
    const auto file = std::make_shared<SignatureFile>(signature_file(seed));
    return [file](const std::string& path) { write_signature_file(path, *file); };
  };
  all.push_back(replacing(folder, "pictures.signatures", pictures(1), pictures(2)));
  all.push_back(reading(folder, "pictures.signatures", pictures(1), [](const std::string& path) {
    SignatureFile file = read_signature_file(path);
    return std::pair(std::move(file.signatures), std::move(file.names));
  }));

  const auto matrix = [](std::uint32_t seed) {
    const auto values = std::make_shared<Matrix<float>>(integers(20 + seed, 5, seed));
    return [values](const std::string& path) { write_matrix(path, values->view()); };
  };
  const auto read = [](const std::string& path) { return read_matrix(path); };
  for (const char* name : {"rows.npy", "rows.fvecs"}) {
    all.push_back(replacing(folder, name, matrix(1), matrix(2)));
    all.push_back(reading(folder, name, matrix(1), read));
  }
  all.push_back(reading(folder, "rows.csv", write_text, read));
  return all;
}

}  // namespace proxel::faults
