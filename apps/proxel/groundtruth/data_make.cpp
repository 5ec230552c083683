#include "groundtruth/data_make.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "console.hpp"
#include "format.hpp"
#include "groundtruth/made_rows.hpp"
#include "groundtruth/parts.hpp"
#include "json_output.hpp"
#include "outputs.hpp"
#include "progress_bar.hpp"

namespace proxel::tool {
namespace {

constexpr const char* examples = R"(Examples:
  proxel data make 1000000x96 base.fbin
  proxel data make 1000x96 query.fbin --seed 2
      values uniform in [0, 1); every machine makes the same ones
  proxel data make 1000000000x128 base.u8bin
      a billion rows of bytes, 128 GB)";

struct Options {
  std::string shape, output;
  std::uint64_t seed = 1;
  bool force = false;
};

constexpr std::uint64_t block_values = std::uint64_t{1} << 24;

// A file that is written front to back.
class Stream {
 public:
  Stream(const std::string& path, const std::string& place) : path_(path), file_(std::fopen(place.c_str(), "wbx")) {
    if (file_ == nullptr) fail("created");
  }
  ~Stream() {
    if (file_ != nullptr) std::fclose(file_);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  void write(const void* bytes, std::uint64_t count) {
    if (std::fwrite(bytes, 1, count, file_) != count) fail("written");
  }
  void finish() {
    if (std::fclose(std::exchange(file_, nullptr)) != 0) fail("written");
  }

 private:
  [[noreturn]] void fail(const char* what) const {
    throw CannotWrite(path_, fmt::format("cannot be {}: {}", what, std::strerror(errno)));
  }

  std::string path_;
  std::FILE* file_;
};

void write_rows(const MadeRows& made, bool bytes, Stream& file, ProgressBar& bar) {
  const std::uint32_t counts[] = {static_cast<std::uint32_t>(made.rows), static_cast<std::uint32_t>(made.columns)};
  file.write(counts, sizeof counts);
  const std::uint64_t block = std::clamp<std::uint64_t>(block_values / made.columns, 1, made.rows);
  std::vector<float> values(block * made.columns);
  std::vector<std::uint8_t> narrow(bytes ? values.size() : 0);
  for (std::uint64_t first = 0; first < made.rows; first += block) {
    const std::uint64_t count = std::min(block, made.rows - first);
    in_parts(count, [&](std::uint64_t begin, std::uint64_t rows) {
      const auto from = values.begin() + static_cast<std::ptrdiff_t>(begin * made.columns);
      made.fill(first + begin, rows, &*from);
      if (bytes)
        std::transform(from, from + static_cast<std::ptrdiff_t>(rows * made.columns),
                       narrow.begin() + static_cast<std::ptrdiff_t>(begin * made.columns),
                       [](float value) { return static_cast<std::uint8_t>(value * 256); });
    });
    if (bytes)
      file.write(narrow.data(), count * made.columns);
    else
      file.write(values.data(), count * made.columns * sizeof(float));
    bar.update(first + count, made.rows);
  }
}

int run(const Options& options, const Context& context) {
  const bool bytes = options.output.ends_with(".u8bin");
  if (!bytes && !options.output.ends_with(".fbin"))
    throw Error(ErrorCode::unsupported, options.output, "made rows are written as .fbin or .u8bin");
  const MadeRows made = rows_of_shape(options.shape, options.seed);
  if (made.rows > UINT32_MAX)
    throw Error(ErrorCode::invalid_argument, "SHAPE",
                fmt::format("a file of this format counts {} rows at most", with_separators(UINT32_MAX)));
  if (std::endian::native != std::endian::little)
    throw Error(ErrorCode::unsupported, options.output, "is written on machines whose numbers are little-endian");
  Outputs outputs(options.force, {});
  outputs.plan("OUT", options.output, FileKind::values);
  check_space(options.output, made.rows * made.columns * (bytes ? 1 : sizeof(float)));
  ProgressBar bar("writing " + options.output);
  bar.tell_time_left();
  Stream file(options.output, outputs.stage(options.output));
  write_rows(made, bytes, file, bar);
  file.finish();
  outputs.commit();
  bar.finish();
  const char* const type = bytes ? "uint8" : "float32";
  if (context.json)
    print({{"command", "data make"},
           {"output", options.output},
           {"rows", made.rows},
           {"columns", made.columns},
           {"type", type},
           {"seed", made.seed}});
  else
    fmt::print("wrote {}: {} × {} {}\n", options.output, with_separators(made.rows), made.columns, type);
  return exit_success;
}

}  // namespace

void add_data_make(CLI::App& data, Context& context) {
  CLI::App* command = make_command(data, context, "make", "Write random rows, of any number", examples);
  const auto options = std::make_shared<Options>();
  command->add_option("SHAPE", options->shape, "ROWSxCOLUMNS")->required()->type_name("");
  command->add_option("OUT", options->output, ".fbin, or .u8bin, which has each value times 256, rounded down")
      ->required()
      ->type_name("");
  command->add_option("--seed", options->seed, "Of the values")->type_name("NUMBER")->capture_default_str();
  add_force_option(*command, options->force);
  command->callback([&context, options] { context.action = [&context, options] { return run(*options, context); }; });
}

}  // namespace proxel::tool
