#include "groundtruth/checkpoint.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <new>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include "proxel/error.hpp"

namespace proxel::tool {
namespace {

// What a checkpoint is of takes some hundred bytes, and its name. Whatever is nested in so many can be looked at.
constexpr std::uint64_t most_description_bytes = 16384;

std::string name_beside(const std::string& path) { return path + ".part"; }

[[noreturn]] void refused(const std::string& path, const char* action) {
  throw Error(ErrorCode::input_output, path, fmt::format("{}: {}", action, std::strerror(errno)));
}

template <typename Number>
Number little_endian(Number number) {
  if constexpr (std::endian::native == std::endian::little) return number;
  auto bytes = std::bit_cast<std::array<char, sizeof(Number)>>(number);
  std::ranges::reverse(bytes);
  return std::bit_cast<Number>(bytes);
}

template <typename Number>
void append(std::string& bytes, const Number* numbers, std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) {
    const Number number = little_endian(numbers[i]);
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
}

std::uint32_t crc_of(std::string_view bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

// Takes numbers off the front of what is left of a file.
class Taker {
 public:
  Taker(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  [[noreturn]] void fail(const std::string& why) const {
    throw Error(ErrorCode::malformed_file, name_, "is a damaged checkpoint (" + why + "); --restart begins anew");
  }
  std::string_view text(std::uint64_t length) {
    if (length > bytes_.size()) fail(fmt::format("it ends, {} more bytes were expected", length - bytes_.size()));
    const std::string_view taken = bytes_.substr(0, length);
    bytes_.remove_prefix(length);
    return taken;
  }
  template <typename Number>
  void numbers(Number* to, std::uint64_t count) {
    const std::string_view taken = text(count * sizeof(Number));
    if (count != 0) std::memcpy(to, taken.data(), taken.size());
    for (std::uint64_t i = 0; i < count; ++i) to[i] = little_endian(to[i]);
  }
  std::uint64_t number() {
    std::uint64_t taken = 0;
    numbers(&taken, 1);
    return taken;
  }
  std::uint64_t left() const { return bytes_.size(); }

 private:
  std::string_view bytes_;
  const std::string& name_;
};

void write_file(const std::string& path, const std::string& bytes) {
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) refused(path, "cannot be created");
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size() && std::fflush(file) == 0 &&
                       fsync(fileno(file)) == 0;
  const int reason = errno;
  if (std::fclose(file) == 0 && written) return;
  if (!written) errno = reason;
  const int kept = errno;
  std::remove(path.c_str());
  errno = kept;
  refused(path, "cannot be written");
}

Checkpoint parse(std::span<const std::byte> content, const std::string& name) {
  Taker file({reinterpret_cast<const char*>(content.data()), content.size()}, name);
  if (content.size() < checkpoint_heading.size() || file.text(checkpoint_heading.size()) != checkpoint_heading)
    throw Error(ErrorCode::malformed_file, name,
                "is no checkpoint that this version of proxel wrote; --restart begins anew");
  if (file.left() < sizeof(std::uint32_t)) file.fail("it ends before its checksum");
  const std::uint64_t summed = content.size() - sizeof(std::uint32_t);
  std::uint32_t expected = 0;
  Taker(std::string_view(reinterpret_cast<const char*>(content.data()) + summed, sizeof expected), name)
      .numbers(&expected, 1);
  if (crc_of({reinterpret_cast<const char*>(content.data()), summed}) != expected) file.fail("its checksum differs");
  Checkpoint checkpoint;
  const std::uint64_t description_bytes = file.number();
  if (description_bytes > most_description_bytes) file.fail("what it says that it is of is too long");
  checkpoint.run = nlohmann::json::parse(file.text(description_bytes), nullptr, false);
  if (!checkpoint.run.is_object()) file.fail("it does not say what it is of");
  const std::uint64_t queries = file.number(), k = file.number();
  checkpoint.rows_done = file.number();
  constexpr std::uint64_t slot_bytes = sizeof(std::int64_t) + sizeof(float);
  const std::uint64_t held = (file.left() - std::min<std::uint64_t>(file.left(), sizeof expected)) / slot_bytes;
  if (queries == 0 || k == 0 || queries > held || k > held / queries ||
      file.left() != queries * k * slot_bytes + sizeof expected)
    file.fail(fmt::format("{} neighbours of {} queries are promised, {} bytes are left", k, queries, file.left()));
  checkpoint.nearest = {Matrix<std::int64_t>(queries, k), Matrix<float>(queries, k)};
  file.numbers(checkpoint.nearest.ids.data(), queries * k);
  file.numbers(checkpoint.nearest.distances.data(), queries * k);
  for (std::uint64_t slot = 0; slot < queries * k; ++slot) {
    const std::int64_t id = checkpoint.nearest.ids.data()[slot];
    if (id < -1 || (id >= 0 && static_cast<std::uint64_t>(id) >= checkpoint.rows_done))
      file.fail(fmt::format("row {} is a neighbour, of {} rows", id, checkpoint.rows_done));
  }
  return checkpoint;
}

}  // namespace

std::string checkpoint_bytes(const Checkpoint& checkpoint) {
  const Matrix<std::int64_t>& ids = checkpoint.nearest.ids;
  const std::string run = checkpoint.run.dump();
  const std::uint64_t length = run.size(), slots = ids.rows() * ids.columns();
  const std::uint64_t shape[] = {ids.rows(), ids.columns(), checkpoint.rows_done};
  std::string bytes(checkpoint_heading);
  bytes.reserve(bytes.size() + run.size() + 64 + slots * 12);
  append(bytes, &length, 1);
  bytes += run;
  append(bytes, shape, 3);
  append(bytes, ids.data(), slots);
  append(bytes, checkpoint.nearest.distances.data(), slots);
  const std::uint32_t crc = crc_of(bytes);
  append(bytes, &crc, 1);
  return bytes;
}

void write_checkpoint(const std::string& path, const Checkpoint& checkpoint) {
  const std::string beside = name_beside(path);
  write_file(beside, checkpoint_bytes(checkpoint));
  if (std::rename(beside.c_str(), path.c_str()) != 0) refused(path, "cannot be put in place");
  // So that the new name outlasts a power failure.
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const int descriptor = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

Checkpoint read_checkpoint(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(ErrorCode::not_found, path, "cannot be opened");
  std::string bytes;
  std::vector<char> block(std::size_t{1} << 20);
  while (file.read(block.data(), static_cast<std::streamsize>(block.size())), file.gcount() > 0)
    bytes.append(block.data(), static_cast<std::size_t>(file.gcount()));
  if (file.bad()) throw Error(ErrorCode::input_output, path, "cannot be read");
  return read_checkpoint(std::as_bytes(std::span(bytes)), path);
}

Checkpoint read_checkpoint(std::span<const std::byte> content, const std::string& name) {
  try {
    return parse(content, name);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, name, "this machine's memory does not hold its content");
  }
}

void remove_checkpoint(const std::string& path) {
  std::remove(path.c_str());
  std::remove(name_beside(path).c_str());
}

}  // namespace proxel::tool
