#include "string_oracle.hpp"

#include <algorithm>
#include <limits>
#include <random>
#include <utility>

namespace proxel::conformance {
namespace {

// A code point of any plane that UTF-8 may hold.
std::uint32_t any_code_point(std::mt19937_64& random) {
  const std::uint32_t limits[] = {0x80, 0x800, 0xD800, 0x110000};
  const std::uint32_t code = static_cast<std::uint32_t>(random() % limits[random() % 4]);
  return code >= 0xD800 && code < 0xE000 ? code - 0xD000 : code;
}

void edit(Symbols& string, std::uint32_t symbols, std::mt19937_64& random) {
  const std::size_t place = string.empty() ? 0 : random() % string.size();
  const auto symbol = static_cast<std::uint32_t>('a' + random() % symbols);
  switch (random() % 3) {
    case 0:
      string.insert(string.begin() + static_cast<std::ptrdiff_t>(place), symbol);
      break;
    case 1:
      if (!string.empty()) string.erase(string.begin() + static_cast<std::ptrdiff_t>(place));
      break;
    default:
      if (!string.empty()) string[place] = symbol;
  }
}

Symbols random_string(std::size_t length, std::uint32_t symbols, std::mt19937_64& random) {
  Symbols string(length);
  for (std::uint32_t& symbol : string) symbol = static_cast<std::uint32_t>('a' + random() % symbols);
  return string;
}

Symbols make_string(StringKind kind, std::mt19937_64& random) {
  switch (kind) {
    case StringKind::words:
      return random_string(random() % 15, 26, random);
    case StringKind::binary:
      return random_string(random() % 41, 2, random);
    case StringKind::equal:
      return Symbols(random() % 9 == 0 ? 0 : 5, 'x');
    case StringKind::boundaries: {
      constexpr std::size_t lengths[] = {0, 1, 31, 32, 33, 63, 64, 65, 127, 128, 255, 256, 257};
      return random_string(lengths[random() % std::size(lengths)], 3, random);
    }
    case StringKind::long_ones:
      return random_string(200 + random() % 501, 5, random);
    case StringKind::nucleotides:
      return random_string(60 + random() % 50, 4, random);
    case StringKind::planes: {
      Symbols string(random() % 12);
      for (std::uint32_t& symbol : string) symbol = any_code_point(random);
      return string;
    }
  }
  return {};
}

}  // namespace

const char* to_string(StringKind kind) {
  switch (kind) {
    case StringKind::words:
      return "words";
    case StringKind::binary:
      return "binary";
    case StringKind::equal:
      return "equal";
    case StringKind::boundaries:
      return "boundaries";
    case StringKind::long_ones:
      return "long";
    case StringKind::nucleotides:
      return "nucleotides";
    case StringKind::planes:
      return "planes";
  }
  return "unknown";
}

std::vector<Symbols> make_strings(StringKind kind, std::uint64_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Symbols> strings(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    // A third is a few edits from another.
    if (i != 0 && kind != StringKind::equal && kind != StringKind::planes && random() % 3 == 0) {
      strings[i] = strings[random() % i];
      for (std::uint64_t edits = random() % 4; edits != 0; --edits) edit(strings[i], 4, random);
    } else {
      strings[i] = make_string(kind, random);
    }
  }
  return strings;
}

std::uint32_t oracle_levenshtein(const Symbols& a, const Symbols& b) {
  std::vector<std::vector<std::uint32_t>> table(a.size() + 1, std::vector<std::uint32_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0)
        table[i][j] = static_cast<std::uint32_t>(i + j);
      else
        table[i][j] = std::min(
            {table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0u : 1u)});
    }
  return table[a.size()][b.size()];
}

std::uint32_t oracle_distance(const Symbols& a, const Symbols& b, StringDistance distance) {
  if (distance == StringDistance::levenshtein) return oracle_levenshtein(a, b);
  std::uint32_t differences = 0;
  for (std::size_t i = 0; i < a.size() || i < b.size(); ++i)
    differences += i < a.size() && i < b.size() && a[i] == b[i] ? 0 : 1;
  return differences;
}

Neighbors oracle_nearest_strings(const std::vector<Symbols>& database, const std::vector<Symbols>& queries,
                                 std::uint64_t k) {
  Neighbors nearest{Matrix<std::uint32_t>(queries.size(), k), Matrix<float>(queries.size(), k)};
  for (std::uint64_t q = 0; q < queries.size(); ++q) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> all;
    for (std::uint32_t i = 0; i < database.size(); ++i)
      all.emplace_back(oracle_levenshtein(queries[q], database[i]), i);
    std::sort(all.begin(), all.end());
    for (std::uint64_t rank = 0; rank < k; ++rank) {
      nearest.indices(q, rank) = rank < all.size() ? all[rank].second : no_neighbor;
      nearest.distances(q, rank) =
          rank < all.size() ? static_cast<float>(all[rank].first) : std::numeric_limits<float>::infinity();
    }
  }
  return nearest;
}

RangeNeighbors oracle_strings_within(const std::vector<Symbols>& database, const std::vector<Symbols>& queries,
                                     float radius, StringDistance by) {
  RangeNeighbors within;
  within.offsets.push_back(0);
  for (const Symbols& query : queries) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> near;
    for (std::uint32_t i = 0; i < database.size(); ++i)
      if (const std::uint32_t distance = oracle_distance(query, database[i], by);
          static_cast<float>(distance) <= radius)
        near.emplace_back(distance, i);
    std::sort(near.begin(), near.end());
    for (const auto& [distance, index] : near) {
      within.indices.push_back(index);
      within.distances.push_back(static_cast<float>(distance));
    }
    within.offsets.push_back(within.indices.size());
  }
  return within;
}

std::string encoded(const Symbols& code_points) {
  std::string text;
  for (const std::uint32_t code : code_points) {
    const auto tail = [&](unsigned shift) { text.push_back(static_cast<char>(0x80 | (code >> shift & 0x3F))); };
    if (code < 0x80) {
      text.push_back(static_cast<char>(code));
    } else if (code < 0x800) {
      text.push_back(static_cast<char>(0xC0 | code >> 6));
      tail(0);
    } else if (code < 0x10000) {
      text.push_back(static_cast<char>(0xE0 | code >> 12));
      tail(6), tail(0);
    } else {
      text.push_back(static_cast<char>(0xF0 | code >> 18));
      tail(12), tail(6), tail(0);
    }
  }
  return text;
}

}  // namespace proxel::conformance
