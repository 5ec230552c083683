#include <cmath>
#include <limits>

#include "support.hpp"

using namespace proxel;
using namespace proxel::testing;

namespace {

// A .npy file by hand; the header is padded as NumPy does.
std::string npy(const std::string& header, const std::string& values, int version = 1) {
  std::string text = header;
  const std::size_t before = version == 1 ? 10 : 12;
  while ((before + text.size() + 1) % 64 != 0) text += ' ';
  text += '\n';
  std::string file = "\x93NUMPY";
  file += static_cast<char>(version);
  file += '\0';
  file += version == 1 ? bytes_of(static_cast<std::uint16_t>(text.size()))
                       : bytes_of(static_cast<std::uint32_t>(text.size()));
  return file + text + values;
}

std::string header(const std::string& type, const std::string& shape, bool fortran = false) {
  return "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape + ", }";
}

template <typename T>
void check_type(const std::string& type, ElementType element, const std::vector<T>& values,
                const std::vector<float>& expected) {
  CAPTURE(type);
  const TemporaryFolder folder;
  for (const bool big_endian : {false, true}) {
    const std::string order = sizeof(T) == 1 ? "|" : big_endian ? ">" : "<";
    const std::string path =
        folder.write("values.npy", npy(header(order + type, "(2, 2)"), bytes_of_all(values, big_endian)));
    check_matrix(read_matrix(path), 2, 2, expected);
    CHECK(inspect_data(path).type == element);
  }
}

}  // namespace

TEST_SUITE("npy") {
TEST_CASE("every element type is read in either byte order") {
  check_type<std::uint16_t>("f2", ElementType::float16, {0x3c00, 0xc000, 0x7bff, 0x0001},
                            {1.0f, -2.0f, 65504.0f, 0x1p-24f});
  check_type<float>("f4", ElementType::float32, {1.5f, -0.0f, 3e38f, 1e-45f}, {1.5f, -0.0f, 3e38f, 1e-45f});
  check_type<double>("f8", ElementType::float64, {0.1, -1e-300, 16777217.0, 0x1.fffffefffffffp+127},
                     {0.1f, -0.0f, 16777216.0f, std::numeric_limits<float>::max()});
  check_type<std::int8_t>("i1", ElementType::int8, {-128, 127, 0, 1}, {-128, 127, 0, 1});
  check_type<std::uint8_t>("u1", ElementType::uint8, {255, 127, 0, 1}, {255, 127, 0, 1});
  check_type<std::uint8_t>("b1", ElementType::uint8, {1, 0, 0, 1}, {1, 0, 0, 1});
  check_type<std::int16_t>("i2", ElementType::int16, {-32768, 32767, 0, 258}, {-32768, 32767, 0, 258});
  check_type<std::uint16_t>("u2", ElementType::uint16, {65535, 1, 0, 258}, {65535, 1, 0, 258});
  check_type<std::int32_t>("i4", ElementType::int32, {INT32_MIN, 16777217, 16777219, 7},
                           {-0x1p31f, 16777216.0f, 16777220.0f, 7});
  check_type<std::uint32_t>("u4", ElementType::uint32, {UINT32_MAX, 1, 0, 7}, {0x1p32f, 1, 0, 7});
  check_type<std::int64_t>("i8", ElementType::int64, {INT64_MIN, 1, 0, -7}, {-0x1p63f, 1, 0, -7});
  check_type<std::uint64_t>("u8", ElementType::uint64, {UINT64_MAX, 1, 0, 7}, {0x1p64f, 1, 0, 7});
}

TEST_CASE("every half is read exactly") {
  std::vector<std::uint16_t> halves(65536);
  for (std::size_t i = 0; i < halves.size(); ++i) halves[i] = static_cast<std::uint16_t>(i);
  const TemporaryFolder folder;
  const auto matrix = read_matrix(folder.write("halves.npy", npy(header("<f2", "(65536,)"), bytes_of_all(halves))));
  REQUIRE(matrix.rows() == 65536);
  std::size_t wrong = 0;
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    // The half's fields moved to where binary32 has them, and the exponent's
    // bias corrected by a multiplication that is exact.
    const float magnitude = std::bit_cast<float>((bits & 0x7fffu) << 13) * 0x1p112f;
    const bool infinite = (bits & 0x7fff) == 0x7c00;
    const bool nan = (bits & 0x7fff) > 0x7c00;
    const float expected = std::copysign(infinite ? INFINITY : magnitude, (bits & 0x8000) != 0 ? -1.0f : 1.0f);
    const float found = matrix(bits, 0);
    if (nan ? !std::isnan(found) : std::bit_cast<std::uint32_t>(found) != std::bit_cast<std::uint32_t>(expected))
      ++wrong;
  }
  CHECK(wrong == 0);
}

TEST_CASE("NaN and infinities are kept") {
  const TemporaryFolder folder;
  const auto matrix = read_matrix(
      folder.write("a.npy", npy(header("<f8", "(3, 1)"), bytes_of_all<double>({NAN, INFINITY, -INFINITY}))));
  CHECK(std::isnan(matrix(0, 0)));
  CHECK(matrix(1, 0) == INFINITY);
  CHECK(matrix(2, 0) == -INFINITY);
}

TEST_CASE("versions 2 and 3, and shapes as others write them") {
  const TemporaryFolder folder;
  const std::string values = bytes_of_all<float>({1, 2, 3, 4});
  const std::vector<float> expected = {1, 2, 3, 4};
  check_matrix(read_matrix(folder.write("2.npy", npy(header("<f4", "(2, 2)"), values, 2))), 2, 2, expected);
  check_matrix(read_matrix(folder.write("3.npy", npy(header("<f4", "(2,2)"), values, 3))), 2, 2, expected);
  check_matrix(read_matrix(folder.write("1d.npy", npy(header("<f4", "(4,)"), values))), 4, 1, expected);
  check_matrix(read_matrix(folder.write("py2.npy", npy(header("<f4", "(2L, 2L)"), values))), 2, 2, expected);
  check_matrix(read_matrix(folder.write("order.npy",
                                        npy("{\"shape\":(1,4),\"fortran_order\":False,\"descr\":\"<f4\"}", values))),
               1, 4, expected);
}

TEST_CASE("Fortran order is transposed, also for a part of the rows") {
  const TemporaryFolder folder;
  const std::string path =
      folder.write("f.npy", npy(header("<i2", "(3, 2)", true), bytes_of_all<std::int16_t>({1, 2, 3, 4, 5, 6})));
  check_matrix<float>(read_matrix(path), 3, 2, {1, 4, 2, 5, 3, 6});
  check_matrix<float>(read_matrix(path, {.first_row = 1, .max_rows = 1}), 1, 2, {2, 5});
}

TEST_CASE("no rows") {
  const TemporaryFolder folder;
  const std::string path = folder.write("none.npy", npy(header("<f4", "(0, 5)"), ""));
  check_matrix<float>(read_matrix(path), 0, 5, {});
  CHECK(inspect_data(path).columns == 5);
  check_malformed(folder.write("columns.npy", npy(header("<f4", "(5, 0)"), "")), "its rows have no columns");
}

TEST_CASE("integers keep 32 bits or are refused") {
  const TemporaryFolder folder;
  const std::string wide =
      folder.write("w.npy", npy(header("<i8", "(1, 3)"), bytes_of_all<std::int64_t>({-5, UINT32_MAX, INT32_MIN})));
  check_matrix<std::int32_t>(read_integers(wide), 1, 3, {-5, -1, INT32_MIN});
  const std::string beyond =
      folder.write("b.npy", npy(header("<i8", "(1, 2)"), bytes_of_all<std::int64_t>({1, std::int64_t{1} << 32})));
  check_error([&] { read_integers(beyond); }, ErrorCode::malformed_file, beyond,
              "at byte 136: 4294967296 is not an integer of 32 bits");
  const std::string below =
      folder.write("n.npy", npy(header("<i8", "(1, 1)"), bytes_of<std::int64_t>(std::int64_t{INT32_MIN} - 1)));
  check_error([&] { read_integers(below); }, ErrorCode::malformed_file, below,
              "at byte 128: -2147483649 is not an integer of 32 bits");
  const std::string floats = folder.write("f.npy", npy(header("<f4", "(1, 1)"), bytes_of(1.0f)));
  check_error([&] { read_integers(floats); }, ErrorCode::malformed_file, floats,
              "integers are needed, the file holds float32");
}

TEST_CASE("a double that no float holds is refused, not clipped") {
  const TemporaryFolder folder;
  const std::string path =
      folder.write("d.npy", npy(header("<f8", "(2, 1)"), bytes_of_all<double>({1.0, 0x1.ffffffp+127})));
  check_error([&] { read_matrix(path); }, ErrorCode::malformed_file, path,
              "at byte 136: 3.4028235677973366e+38 is beyond the range of binary32");
}

TEST_CASE("files that are cut or too long") {
  const TemporaryFolder folder;
  const std::string whole = npy(header("<f4", "(2, 2)"), bytes_of_all<float>({1, 2, 3, 4}));
  const std::string promise = "the file ends, but its header promises 2 rows of 2 columns (float32) from byte 128 on";
  check_malformed(folder.write("cut.npy", whole.substr(0, whole.size() - 1)), "at byte 143: " + promise);
  check_malformed(folder.write("long.npy", whole + "ab"), "at byte 144: 2 bytes follow the last value");
  check_malformed(folder.write("empty.npy", ""), "at byte 0: the file ends, 8 bytes from byte 0 on were expected");
  check_malformed(folder.write("magic.npy", "<html><body>"),
                  "at byte 0: this is not a .npy file, which begins with \\x93NUMPY");
  // Cut anywhere, it is an error and never a result.
  for (std::size_t size = 0; size < whole.size(); ++size)
    CHECK_THROWS_AS(read_matrix(folder.write("part.npy", whole.substr(0, size))), Error);
}

TEST_CASE("hostile sizes are refused before anything is allocated") {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& shape, const std::string& type) {
    CAPTURE(shape);
    const std::string path = folder.write("h.npy", npy(header(type, shape), "1234"));
    CHECK_THROWS_WITH_AS(read_matrix(path), doctest::Contains("the file ends, but its header promises"), Error);
  };
  refused("(1000000000000, 1000)", "<f4");
  refused("(4294967296, 4294967296)", "<f4");  // the product wraps to 0
  refused("(2305843009213693952, 2)", "<f8");  // the bytes wrap
  refused("(18446744073709551615, 18446744073709551615)", "|u1");
  check_malformed(folder.write("b.npy", npy(header("<f4", "(18446744073709551616, 1)"), "")),
                  "at byte 61: a size of the shape is beyond 2^64");
  check_malformed(folder.write("n.npy", npy(header("<f4", "(-1, 1)"), "")),
                  "at byte 61: a size of the shape is not a number");
  // A header longer than the file, and one longer than any header.
  check_malformed(folder.write("l.npy", std::string("\x93NUMPY\x02\x00", 8) + bytes_of<std::uint32_t>(1000)),
                  "at byte 12: the file ends, 1000 bytes from byte 12 on were expected");
  check_malformed(folder.write("L.npy", std::string("\x93NUMPY\x02\x00", 8) + bytes_of<std::uint32_t>(UINT32_MAX)),
                  "at byte 8: a header of 4294967295 bytes; at most 65536 are allowed");
}

TEST_CASE("headers that are no headers") {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& text, const std::string& message) {
    check_malformed(folder.write("h.npy", npy(text, "")), message);
  };
  refused("", "at byte 64: '{' is missing in the header");
  refused("{'descr' '<f4'}", "at byte 19: ':' is missing in the header");
  refused("{'descr': '<f4}", "at byte 21: a quotation mark is missing in the header");
  refused("{'descr': 7}", "at byte 20: a quoted word is missing in the header");
  refused("{'fortran_order': 1}", "at byte 28: fortran_order is neither True nor False");
  refused("{'color': 'red'}", "at byte 19: the header has a key other than descr, fortran_order and shape");
  refused("{'descr': '<f4', 'descr': '<f4'}", "at byte 35: descr is given twice");
  refused("{'descr': '<f4'}", "at byte 26: the header must give descr, fortran_order and shape");
  refused(header("<f4", "(1, 1)") + " x", "at byte 70: text follows the header's dictionary");
}

TEST_CASE("what is valid but not a matrix is unsupported") {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& bytes, const std::string& message) {
    const std::string path = folder.write("u.npy", bytes);
    check_error([&] { read_matrix(path); }, ErrorCode::unsupported, path, message);
  };
  refused(npy(header("<f4", "(1, 1, 1)"), "1234"),
          "at byte 67: the array has more than two dimensions; a matrix has two");
  refused(npy(header("<f4", "()"), "1234"), "at byte 62: the array is a single number; a matrix has two dimensions");
  refused(npy(header("<c8", "(1, 1)"), "12345678"),
          "at byte 25: element type \"<c8\"; f2 f4 f8 i1 u1 i2 u2 i4 u4 i8 u8 b1 can be read");
  refused(npy("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,), }", "1234"),
          "at byte 21: structured element types cannot be read");
  refused(npy(header("<f4", "(1, 1)"), "1234", 4), "at byte 6: version 4 of .npy; 1 to 3 can be read");
}
}  // namespace suite
