#pragma once

// Makes a file of signatures from files of images.

#include <string>
#include <vector>

#include "images/image_files.hpp"
#include "images/image_signature.hpp"
#include "proxel/index.hpp"
#include "proxel/signature_file.hpp"

namespace proxel::tool {

using images::ImageFailure;

struct ImageSignatures {
  SignatureFile file;                  ///< of the images that could be read, in the order given
  std::vector<ImageFailure> failures;  ///< in that order too
};

/// The signatures of images, which several threads read and the device describes; neither changes anything of the
/// result. Throws Error(unsupported) where the program was built without images, as SignatureMaker does, and
/// Interrupted.
ImageSignatures make_signatures(const std::vector<std::string>& paths, const images::SignatureOptions& options,
                                Device& device, unsigned threads, const Progress& progress);

/// How signatures of these options are made, as their file says it.
std::string recipe_of(const images::SignatureOptions& options);
/// The other way round. Throws Error(unsupported) that names the file where its recipe is
/// none of this program's.
images::SignatureOptions options_of(const SignatureFile& file, const std::string& path);

/// What a signature is of: its name, or its number where the file has no names.
std::string name_of(const SignatureFile& file, std::uint64_t number);

/// The text for a terminal: without control characters, which names of files may have.
std::string printable_name(const std::string& name);

}  // namespace proxel::tool
