#pragma once

#include <string>
#include <vector>

#include "proxel/export.h"
#include "proxel/signatures.hpp"

PROXEL_PUBLIC_BEGIN
namespace proxel {

/// Feature signatures as they lie in a file.
struct SignatureFile {
  Signatures signatures{1};
  /// What each signature is of, for example the path of an image; one per signature, or none
  /// at all. Any bytes.
  std::vector<std::string> names;
  /// How the signatures were made, in the terms of what made them, so that more of the same
  /// kind can be made. Empty where that is not known.
  std::string recipe;
};

/// Writes the file (docs/signature-file.md), whole or not at all. The same content is the
/// same bytes on every machine.
/// Throws Error: invalid_argument where the numbers of names and signatures differ; input_output.
void write_signature_file(const std::string& path, const SignatureFile& file);

/// Reads what write_signature_file wrote, or the text format of NMSLIB's SQFD space, plain
/// or compressed by gzip: the file's content tells which it is.
/// Throws Error: not_found; input_output; malformed_file, which says what is wrong and where;
/// unsupported for files of another version or of other objects; out_of_memory.
SignatureFile read_signature_file(const std::string& path);

}  // namespace proxel
PROXEL_PUBLIC_END
