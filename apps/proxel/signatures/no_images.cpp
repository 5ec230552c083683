// In place of image_files.cpp where the libraries for images are missing.

#include "signatures/image_files.hpp"

namespace proxel::tool {
namespace {

[[noreturn]] void refuse() {
  throw Error(ErrorCode::unsupported, "images",
              "this program was built without libjpeg and libpng; install them (on Debian and Ubuntu: "
              "apt install libjpeg-dev libpng-dev), configure and build again");
}

}  // namespace

ImageSignatures make_signatures(const std::vector<std::string>&, const images::SignatureOptions&, unsigned,
                                const Progress&) {
  refuse();
}

images::Image thumbnail(const std::string&, std::uint32_t) { refuse(); }

}  // namespace proxel::tool
