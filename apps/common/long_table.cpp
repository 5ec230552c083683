#include "long_table.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <zlib.h>

#include "console.hpp"
#include "csv_field.hpp"
#include "format.hpp"
#include "interrupt.hpp"

namespace proxel::tool {
namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 18;

}  // namespace

class LongTable::File {
 public:
  File(std::string path, const std::string& place) : path_(std::move(path)) {
    // T: as it is, without compression.
    file_ = gzopen(place.c_str(), path_.ends_with(".gz") ? "wbx" : "wbxT");
    if (file_ == nullptr) fail("cannot be created");
  }
  ~File() {
    if (file_ != nullptr) gzclose(file_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  void write(std::string_view text) {
    errno = 0;
    if (!text.empty() && gzwrite(file_, text.data(), static_cast<unsigned>(text.size())) == 0)
      fail("cannot be written");
  }
  void close() {
    errno = 0;
    if (gzclose(std::exchange(file_, nullptr)) != Z_OK) fail("cannot be written");
  }

 private:
  [[noreturn]] void fail(const char* action) {
    throw CannotWrite(path_, errno == 0 ? std::string(action) : fmt::format("{}: {}", action, std::strerror(errno)));
  }

  std::string path_;
  gzFile file_ = nullptr;
};

LongTable::LongTable(Outputs& outputs, const std::string& path, LabelColumns labels) : path_(path), labels_(labels) {
  if (path.empty()) return;
  if (path != "-") file_ = std::make_unique<File>(path, outputs.stage(path));
  put(fmt::format("{}{}{}\n", long_table_heading, labels_.of_queries ? ",query_label" : "",
                  labels_.of_rows ? ",label" : ""));
}

LongTable::~LongTable() = default;

void LongTable::put(std::string_view text) {
  waiting_ += text;
  if (waiting_.size() >= block_bytes) flush();
}

void LongTable::flush() {
  throw_if_interrupted();
  if (file_) {
    file_->write(waiting_);
  } else if (!path_.empty()) {
    std::fwrite(waiting_.data(), 1, waiting_.size(), stdout);
    flush_stdout();
  }
  waiting_.clear();
}

void LongTable::close() {
  flush();
  if (file_) file_->close();
}

void LongTable::add(std::string_view query, std::uint64_t rank, std::string_view id, float distance,
                    std::string_view query_label, std::string_view label) {
  if (path_.empty()) return;
  put(fmt::format("{},{},{},{}", csv_field(query), rank, csv_field(id), as_float(distance)));
  if (labels_.of_queries) put("," + csv_field(query_label));
  if (labels_.of_rows) put("," + csv_field(label));
  put("\n");
}

namespace {

std::string_view label_of(const RowNames& names, std::uint64_t row) {
  return names.has_labels() ? std::string_view(names.labels[row]) : std::string_view();
}

}  // namespace

void LongTable::add(const Neighbors& found, const AnswerNames& names) {
  const auto& [queries, rows] = names;
  for (std::uint64_t query = 0; query < found.indices.rows(); ++query) {
    const std::string name = queries.id(query);
    for (std::uint64_t slot = 0; slot < found.indices.columns(); ++slot)
      if (const std::uint32_t row = found.indices(query, slot); row != no_neighbor)
        add(name, slot + 1, rows.id(row), found.distances(query, slot), label_of(queries, query), label_of(rows, row));
  }
}

void LongTable::add(const RangeNeighbors& found, const AnswerNames& names) {
  const auto& [queries, rows] = names;
  for (std::uint64_t query = 0; query + 1 < found.offsets.size(); ++query) {
    const std::string name = queries.id(query);
    for (std::uint64_t slot = found.offsets[query]; slot < found.offsets[query + 1]; ++slot)
      add(name, slot - found.offsets[query] + 1, rows.id(found.indices[slot]), found.distances[slot],
          label_of(queries, query), label_of(rows, found.indices[slot]));
  }
}

void add_table_option(CLI::App& command, std::string& path) {
  command
      .add_option("--table", path,
                  "Write one long table, query,rank,id,distance: comma-separated values, compressed "
                  "where the name ends in .gz; - prints it instead of everything else")
      ->type_name("FILE");
}

void plan_table(Outputs& outputs, const std::string& path, bool json) {
  if (path.empty()) return;
  if (path != "-") return outputs.plan("--table", path, FileKind::table);
  if (json)
    throw Error(ErrorCode::invalid_argument, "--table", "- is standard output, where --json prints its document");
}

}  // namespace proxel::tool
