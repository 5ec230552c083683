#include <span>

#include "check.hpp"
#include "images/image.hpp"
#include "promises.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace proxel;
  const auto read = [](images::Bytes from) {
    return fuzzing::attempt("photo", [&] { return images::decode_image("photo", from); });
  };
  const auto image = read({bytes, size});
  if (!image) return 0;
  fuzzing::require(
      image->width > 0 && image->height > 0 && image->rgb.size() == std::size_t{image->width} * image->height * 3,
      "an image that was read has its pixels");
  const std::vector<std::uint8_t> file = images::encode_png(*image);
  const auto back = read(file);
  fuzzing::require(back && back->width == image->width && back->height == image->height && back->rgb == image->rgb,
                   "an image that was read and written comes back");
  return 0;
}
