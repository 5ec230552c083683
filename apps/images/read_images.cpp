#include "files/take_turns.hpp"
#include "images/image_files.hpp"

namespace proxel::images {

std::vector<ImageFailure> read_images(const std::vector<std::string>& paths, unsigned threads,
                                      const std::function<void(std::size_t, Image&&)>& visit,
                                      const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
  return files::take_turns(paths, threads, [&](std::size_t number) { visit(number, read_image(paths[number])); },
                           progress);
}

}  // namespace proxel::images
