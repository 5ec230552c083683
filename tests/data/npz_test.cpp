#include <zlib.h>

#include "support.hpp"

using namespace proxel;
using namespace proxel::testing;

#ifdef PROXEL_WITH_LIBZIP
namespace {

struct Member {
  std::string name;
  std::string bytes;
  bool deflated = false;
};

std::string deflated(const std::string& bytes) {
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string packed(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

// A zip archive by hand, so that it can be made wrong.
// @param size  what the archive says of the first member's size, where it is not the truth
std::string npz(const std::vector<Member>& members, std::uint32_t size = 0) {
  std::string file, directory;
  for (const Member& member : members) {
    const std::string stored = member.deflated ? deflated(member.bytes) : member.bytes;
    const auto* data = reinterpret_cast<const Bytef*>(member.bytes.data());
    const auto sum = static_cast<std::uint32_t>(crc32(0, data, static_cast<uInt>(member.bytes.size())));
    const std::uint32_t said = size != 0 && file.empty() ? size : static_cast<std::uint32_t>(member.bytes.size());
    const std::string about = bytes_of<std::uint16_t>(20) + bytes_of<std::uint16_t>(0) +
                              bytes_of<std::uint16_t>(member.deflated ? 8 : 0) + bytes_of<std::uint32_t>(0x21) +
                              bytes_of(sum) + bytes_of(static_cast<std::uint32_t>(stored.size())) + bytes_of(said) +
                              bytes_of(static_cast<std::uint16_t>(member.name.size())) + bytes_of<std::uint16_t>(0);
    directory += std::string("PK\x01\x02") + bytes_of<std::uint16_t>(20) + about + std::string(10, '\0') +
                 bytes_of(static_cast<std::uint32_t>(file.size())) + member.name;
    file += std::string("PK\x03\x04") + about + member.name + stored;
  }
  const auto count = static_cast<std::uint16_t>(members.size());
  return file + directory + std::string("PK\x05\x06") + std::string(4, '\0') + bytes_of(count) + bytes_of(count) +
         bytes_of(static_cast<std::uint32_t>(directory.size())) + bytes_of(static_cast<std::uint32_t>(file.size())) +
         std::string(2, '\0');
}

std::string npy(const std::string& shape, const std::vector<float>& values) {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }";
  header.resize(117, ' ');
  return std::string("\x93NUMPY\x01\x00", 8) + bytes_of<std::uint16_t>(118) + header + "\n" + bytes_of_all(values);
}

}  // namespace

TEST_SUITE("npz") {
TEST_CASE("an array by its name, or the only one") {
  const TemporaryFolder folder;
  const std::vector<float> rows = {1, 2, 3, 4, 5, 6};
  for (const bool deflated : {false, true}) {
    const std::string one = folder.write("one.npz", npz({{"x.npy", npy("(3, 2)", rows), deflated}, {"note.txt", "a"}}));
    check_matrix(read_matrix(one), 3, 2, rows);
    check_matrix(read_matrix(one + "#x", {.first_row = 1, .max_rows = 1}), 1, 2, {3.0f, 4.0f});
    const std::string two = folder.write(
        "two.NPZ", npz({{"x.npy", npy("(3, 2)", rows), deflated}, {"sub/v.npy", npy("(2,)", {7, 8}), deflated}}));
    check_matrix(read_matrix(two + "#sub/v"), 2, 1, {7.0f, 8.0f});
    CHECK(read_table(two + "#sub/v").one_dimensional);
    CHECK_FALSE(read_table(two + "#x").one_dimensional);
    const DataInfo info = inspect_data(two + "#x");
    CHECK(info.format == "npz");
    CHECK(info.rows == 3);
    CHECK(info.columns == 2);
    CHECK(info.parts == std::vector<std::string>{"x", "sub/v"});
    check_error([&] { read_matrix(two); }, ErrorCode::not_found, two,
                "which data set is meant has to be said after '#'; it holds: x, sub/v");
    check_error([&] { read_matrix(two + "#y"); }, ErrorCode::not_found, two, "no data set \"y\"; it holds: x, sub/v");
    const std::string bytes = read_bytes(one);
    check_matrix(read_table(std::as_bytes(std::span(bytes)), "standard input").values, 3, 2, rows);
  }
}

TEST_CASE("arrays of any size around what is read at once") {
  for (const bool deflated : {false, true})
    for (std::uint64_t count = 65536 - 34; count <= 65536 + 3; ++count) {
      CAPTURE(count);
      std::vector<float> values(count);
      for (std::uint64_t i = 0; i < count; ++i) values[i] = static_cast<float>(i % 977);
      const TemporaryFolder folder;
      const std::string shape = std::string("(").append(std::to_string(count)).append(", 1)");
      const std::string path = folder.write("a.npz", npz({{"x.npy", npy(shape, values), deflated}}));
      CHECK(values_of(read_matrix(path)) == values);
      check_matrix(read_matrix(path, {.first_row = count - 2}), 2, 1, {values[count - 2], values[count - 1]});
    }
}

TEST_CASE("what is wrong is told with the array") {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& bytes, ErrorCode code, const std::string& message) {
    CAPTURE(message);
    const std::string path = folder.write("a.npz", bytes);
    try {
      read_matrix(path);
      FAIL_CHECK("no error");
    } catch (const Error& error) {
      CHECK(error.code() == code);
      CHECK(error.subject() == path);
      CHECK_MESSAGE(std::string(error.what()).find(message) != std::string::npos, error.what());
    }
  };
  const std::string array = npy("(2, 2)", {1, 2, 3, 4});
  refused("", ErrorCode::malformed_file, "not an .npz file");
  refused("1,2\n3,4\n", ErrorCode::malformed_file, "not an .npz file");
  refused(npz({{"note.txt", "a"}}), ErrorCode::not_found, "it holds none");
  refused(npz({{"x.npy", "text"}}), ErrorCode::malformed_file, "array \"x\": ");
  refused(npz({{"x.npy", array.substr(0, array.size() - 4)}}), ErrorCode::malformed_file,
          "array \"x\": at byte 140: the file ends, but its header promises 2 rows");
  std::string damaged = npz({{"x.npy", array}});
  damaged[damaged.find(bytes_of(3.0f))] ^= 1;
  refused(damaged, ErrorCode::malformed_file, "array \"x\": CRC error");
  refused(npz({{"x.npy", array, true}}, 1u << 31), ErrorCode::malformed_file, "bytes are promised, only");
  const std::string whole = npz({{"x.npy", array, true}});
  for (std::size_t size = 0; size < whole.size(); ++size)
    CHECK_THROWS_AS(read_matrix(folder.write("cut.npz", whole.substr(0, size))), Error);
  check_error([&] { read_matrix(folder.write("b.npz", whole), {.memory_limit = 15}); }, ErrorCode::out_of_memory,
              folder.file("b.npz"), "array \"x\": 2 rows of 2 columns need 16 bytes of memory, 15 are allowed");
}
}  // namespace suite
#else
TEST_SUITE("npz") {
TEST_CASE("without the library .npz files are unsupported") {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.npz", "PK\x03\x04");
  check_error([&] { read_matrix(path); }, ErrorCode::unsupported, path,
              "this build of proxel was made without libzip, which .npz files need");
}
}  // namespace suite
#endif
