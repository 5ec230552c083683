#include "mutate.hpp"

#include <algorithm>
#include <array>
#include <random>

namespace proxel::fuzzing {
namespace {

// Independent of the standard library's distributions, which may differ.
class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t case_number) : engine_(seed * 0x9E3779B97F4A7C15u + case_number) {}
  /// 0 … count - 1
  std::size_t below(std::size_t count) { return count == 0 ? 0 : engine_() % count; }
  std::uint64_t bits() { return engine_(); }

 private:
  std::mt19937_64 engine_;
};

// Sizes at which sums and products wrap, and signs change.
constexpr std::array<std::uint64_t, 12> boundary_numbers = {0,
                                                            1,
                                                            0x7f,
                                                            0xff,
                                                            0x7fff,
                                                            0xffff,
                                                            0x7fffffff,
                                                            0x80000000,
                                                            0xffffffff,
                                                            0x4000000000000000,
                                                            0x7fffffffffffffff,
                                                            0xffffffffffffffff};

constexpr std::array<const char*, 12> words = {
    ",", ";", "\t", "\n", "\r\n", "\"", "nan", "-inf", "1e39", "99999999999999999999", "(", "#"};

void overwrite(std::string& bytes, std::size_t position, std::uint64_t value, std::size_t width, bool big_endian) {
  for (std::size_t i = 0; i < width && position + i < bytes.size(); ++i)
    bytes[position + i] = static_cast<char>(value >> 8 * (big_endian ? width - 1 - i : i) & 255);
}

void mutate_once(std::string& bytes, const std::vector<std::string>& inputs, Random& random) {
  const std::size_t position = random.below(bytes.size() + 1);
  const std::size_t length = 1 + random.below(16);
  switch (random.below(8)) {
    case 0:
      if (position < bytes.size()) bytes[position] = static_cast<char>(bytes[position] ^ 1 << random.below(8));
      break;
    case 1:
      overwrite(bytes, position, random.bits(), 1, false);
      break;
    case 2:
      overwrite(bytes, position, boundary_numbers[random.below(boundary_numbers.size())],
                std::size_t{1} << random.below(4), random.below(2) == 0);
      break;
    case 3:
      bytes.erase(position, length);
      break;
    case 4:
      bytes.insert(position, length, static_cast<char>(random.bits()));
      break;
    case 5:
      bytes.insert(position, words[random.below(words.size())]);
      break;
    case 6:
      bytes.resize(position);
      break;
    case 7: {
      const std::string& other = inputs[random.below(inputs.size())];
      const std::size_t from = random.below(other.size() + 1);
      bytes.insert(position, other.substr(from, random.below(64)));
      break;
    }
  }
}

}  // namespace

std::string mutated(const std::vector<std::string>& inputs, std::uint64_t seed, std::uint64_t case_number) {
  Random random(seed, case_number);
  std::string bytes = inputs[random.below(inputs.size())];
  for (std::size_t left = 1 + random.below(4); left > 0; --left) mutate_once(bytes, inputs, random);
  return bytes;
}

}  // namespace proxel::fuzzing
