#pragma once

// Texts as vectors of term frequencies, whose places are hashes of the terms (feature hashing: Weinberger, Dasgupta,
// Langford, Smola, Attenberg: Feature hashing for large scale multitask learning, 2009).

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "proxel/matrix.hpp"

namespace proxel::features {

/// Of one text, bytes.
inline constexpr std::uint64_t most_text_bytes = std::uint64_t{1} << 30;

/// Gives every term of UTF-8 text, in small letters. A term is a run of letters and digits: those of ASCII, ª, µ, º and
/// every code point from U+00C0 on but ×, ÷, U+2000 … U+2BFF, U+3000 … U+303F, U+FE00 … U+FE0F, U+FEFF and
/// U+FF00 … U+FF0F. Bytes that are not UTF-8 are between terms. Small letters are made of the capital ones of ASCII,
/// Latin-1, Latin Extended-A, Greek and Cyrillic.
void for_each_term(std::string_view text, const std::function<void(std::string_view term)>& take);

/// A term's number: FNV-1a of 64 bits over its bytes, whose halves are combined by exclusive or.
std::uint32_t term_hash(std::string_view term);

/// How often each place's terms occur in the text, whose place is term_hash() modulo the dimensions.
/// @param counts  as many as there are dimensions; added to
/// @return the number of terms
/// Throws Error(malformed_file) that names the file and the line of a zero byte, which no text has.
std::uint64_t count_terms(const std::string& name, std::string_view text, std::uint32_t dimensions, float* counts);

/// Of each column d of n rows: ln((1 + n) / (1 + rows in which it is not 0)) + 1.
std::vector<double> rarity_weights(const Matrix<float>& rows);
/// Multiplies each column with its weight. @param weights  as many as there are columns
void weigh(Matrix<float>& rows, std::span<const double> weights);
/// Divides each row by its Euclidean length; rows of zeros stay.
void make_unit_length(Matrix<float>& rows);

}  // namespace proxel::features
