// Files of feature signatures.
#include "proxel/signature_file.hpp"

#include <algorithm>
#include <filesystem>

#include "signature_data.hpp"

using namespace proxel;
using namespace proxel::c_test;

TEST_CASE("files of signatures are written and read as in C++") {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("proxel_c_" + std::to_string(std::random_device()()))).string();
  const Signatures known = random_signatures(3, 1);
  const proxel_signatures c_known = c_signatures(known);
  const char* const names[] = {"one", "two", "\xC3\xA9"};
  CHECK_OK(proxel_signature_file_write(path.c_str(), &c_known, names, "by hand"));
  const SignatureFile cpp = read_signature_file(path);
  CHECK(cpp.signatures == known);
  CHECK(cpp.names == std::vector<std::string>(names, names + 3));

  SignatureFileHandle file, none;
  CHECK_OK(proxel_signature_file_read(path.c_str(), &file));
  proxel_signature_file_view view = PROXEL_SIGNATURE_FILE_VIEW_INIT;
  CHECK_OK(proxel_signature_file_get(file, &view));
  CHECK(view.count == 3);
  CHECK(view.dimensions == signature_dimensions);
  CHECK(view.name_count == 3);
  CHECK(std::string(view.recipe) == "by hand");
  CHECK(std::equal(view.offsets, view.offsets + 4, known.offsets().data()));
  CHECK(std::equal(view.weights, view.weights + view.offsets[3], known.weights().data()));
  CHECK(std::equal(view.centroids, view.centroids + view.offsets[3] * view.dimensions, known.centroids().data()));
  char name[8];
  std::uint64_t bytes = 0;
  CHECK_OK(proxel_signature_file_get_name(file, 1, name, sizeof name, &bytes));
  CHECK(std::string(name, bytes) == "two");
  CHECK_FAILS(proxel_signature_file_get_name(file, 3, name, sizeof name, &bytes), PROXEL_INVALID_ARGUMENT, "number");
  CHECK_FAILS(proxel_signature_file_get_name(file, 0, name, 1, &bytes), PROXEL_INVALID_ARGUMENT, "capacity");

  const char* const missing[] = {"one", nullptr, "three"};
  CHECK_FAILS(proxel_signature_file_write(path.c_str(), &c_known, missing, nullptr), PROXEL_INVALID_ARGUMENT, "names");
  CHECK_FAILS(proxel_signature_file_write(nullptr, &c_known, nullptr, nullptr), PROXEL_INVALID_ARGUMENT, "path");
  CHECK_OK(proxel_signature_file_write(path.c_str(), &c_known, nullptr, nullptr));
  CHECK(read_signature_file(path).names.empty());
  std::filesystem::remove(path);
  CHECK(proxel_signature_file_read(path.c_str(), &none) == PROXEL_NOT_FOUND);
  CHECK_FAILS(proxel_signature_file_read(path.c_str(), nullptr), PROXEL_INVALID_ARGUMENT, "file");
  CHECK(none == nullptr);
}
