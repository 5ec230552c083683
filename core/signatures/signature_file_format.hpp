#pragma once

// The formats of signature files, over any source of bytes.

#include <array>
#include <cstdint>

#include "data/section_file.hpp"
#include "proxel/signature_file.hpp"

namespace proxel::signature_file {

/// The parts of a file, in their order.
enum Part : std::size_t { settings, lengths, centroids, weights, names, recipe, parts };
inline constexpr std::array<data::SectionName, parts> part_names = {{
    {"INFO", "settings"},
    {"LENS", "lengths"},
    {"CENT", "centroids"},
    {"WGHT", "weights"},
    {"NAME", "names"},
    {"RCPE", "recipe"},
}};
inline constexpr std::uint32_t kind_signatures = 3;
inline constexpr std::array<std::uint32_t, 1> kinds = {kind_signatures};
inline constexpr data::SectionFormat format = {"a file of feature signatures", 1, kinds, "kind 3, feature signatures",
                                               part_names};
inline constexpr std::uint64_t settings_words = 5;

/// Hands the file's bytes on, in order.
/// @param name  what errors call it
void write(const data::BlockWriter::Sink& sink, const std::string& name, const SignatureFile& file);

/// Reads the format that the content tells.
SignatureFile read(const data::ByteSource& source);
/// Reads the format of docs/signature-file.md.
SignatureFile read_sections(const data::ByteSource& source);
/// The text format of NMSLIB's SQFD space.
SignatureFile read_nmslib(const data::ByteSource& source, bool gzip);

/// Adds a signature of a file; `fail` throws what is wrong with it as an error of the file.
void add(Signatures& signatures, std::span<const float> centroids, std::span<const float> weights,
         const data::Refusal& fail);

}  // namespace proxel::signature_file
