#include "photos/kept_photos.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include <nlohmann/json.hpp>
#include <zlib.h>

#include "file_kinds.hpp"
#include "notes.hpp"
#include "proxel/error.hpp"
#include "signatures/image_files.hpp"
#include "write_text.hpp"

namespace proxel::tool {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::size_t checksum_size = 4;

// Changes with whatever changes what is kept.
Json recipe_of_photos(const PhotoOptions& options) {
  return {{"signatures", options.signatures ? recipe_of({}) : ""},
          {"features", options.features},
          {"longest_side", options.longest_side},
          {"most_features", options.most_features}};
}

template <typename T>
Json bytes_of(const std::vector<T>& values) {
  const auto* first = reinterpret_cast<const std::uint8_t*>(values.data());
  return Json::binary({first, first + values.size() * sizeof(T)});
}

template <typename T>
std::vector<T> values_of(const Json& kept) {
  const auto& bytes = kept.get_binary();
  if (bytes.size() % sizeof(T) != 0) throw std::length_error("");
  std::vector<T> values(bytes.size() / sizeof(T));
  std::copy(bytes.begin(), bytes.end(), reinterpret_cast<std::uint8_t*>(values.data()));
  return values;
}

std::string checksum_of(std::string_view content) {
  const auto* first = reinterpret_cast<const Bytef*>(content.data());
  const unsigned long sum = crc32_z(0, first, content.size());
  std::string bytes;
  for (unsigned shift = 0; shift < 8 * checksum_size; shift += 8) bytes += static_cast<char>(sum >> shift & 255);
  return bytes;
}

// Whether it is as it is written here: of known lengths, without tags, values within few others. The reader calls itself for
// each value within another, and for each part of a string.
bool is_plain(std::string_view cbor) {
  constexpr std::size_t most_within = 16;
  std::vector<std::uint64_t> left = {1};  // values that are to come, of each value that others are within
  while (!left.empty()) {
    if (left.back() == 0) {
      left.pop_back();
      continue;
    }
    --left.back();
    if (cbor.empty()) return false;
    const auto head = static_cast<unsigned char>(cbor.front());
    cbor.remove_prefix(1);
    const unsigned kind = head >> 5, length = head & 31;
    std::uint64_t argument = length;
    if (length > 27) return false;
    if (length >= 24) {
      const std::size_t bytes = std::size_t{1} << (length - 24);
      if (cbor.size() < bytes) return false;
      argument = 0;
      for (std::size_t i = 0; i < bytes; ++i) argument = argument << 8 | static_cast<unsigned char>(cbor[i]);
      cbor.remove_prefix(bytes);
    }
    const bool has_content = kind >= 2 && kind <= 5;
    if (kind == 6 || (has_content && argument > cbor.size())) return false;
    if (kind == 2 || kind == 3) cbor.remove_prefix(argument);
    if (kind == 4 || kind == 5) left.push_back(kind == 4 ? argument : 2 * argument);
    if (left.size() > most_within) return false;
  }
  return cbor.empty();
}

Photo photo_of(const Json& kept, const std::string& folder) {
  Photo photo;
  photo.path = (fs::path(folder) / kept.at("name").get<std::string>()).string();
  photo.file_bytes = kept.at("file_bytes").get<std::uint64_t>();
  photo.changed = kept.at("changed").get<std::int64_t>();
  photo.longest_side = kept.at("longest_side").get<std::uint32_t>();
  photo.signature.centroids = values_of<float>(kept.at("centroids"));
  photo.signature.weights = values_of<float>(kept.at("weights"));
  photo.keypoints = values_of<images::Keypoint>(kept.at("keypoints"));
  photo.descriptors = values_of<std::uint8_t>(kept.at("descriptors"));
  if (photo.signature.centroids.size() != photo.signature.weights.size() * images::feature_dimensions ||
      photo.descriptors.size() != photo.keypoints.size() * images::descriptor_dimensions)
    throw std::length_error("");
  return photo;
}

}  // namespace

void write_kept_photos(const std::string& place, const std::string& folder, const PhotoOptions& options,
                       const std::vector<Photo>& photos) {
  Json document = {{"recipe", recipe_of_photos(options)}, {"photos", Json::array()}};
  for (const Photo& photo : photos)
    document["photos"].push_back({{"name", fs::path(photo.path).lexically_relative(folder).string()},
                                  {"file_bytes", photo.file_bytes},
                                  {"changed", photo.changed},
                                  {"longest_side", photo.longest_side},
                                  {"centroids", bytes_of(photo.signature.centroids)},
                                  {"weights", bytes_of(photo.signature.weights)},
                                  {"keypoints", bytes_of(photo.keypoints)},
                                  {"descriptors", bytes_of(photo.descriptors)}});
  std::string content(kept_photos_heading);
  Json::to_cbor(document, content);
  content += checksum_of(std::string_view(content).substr(kept_photos_heading.size()));
  write_text(place, content);
}

std::vector<Photo> read_kept_photos(const std::string& path, const std::string& folder, const PhotoOptions& options) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return {};
  std::ifstream file(path, std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file) throw Error(ErrorCode::input_output, path, "could not be read");
  if (!content.starts_with(kept_photos_heading))
    throw Error(ErrorCode::malformed_file, path,
                "is no file of what is known of photographs, of this version; --force makes it anew");
  std::string_view cbor = std::string_view(content).substr(kept_photos_heading.size());
  const std::string_view sum = cbor.substr(cbor.size() - std::min(cbor.size(), checksum_size));
  cbor.remove_suffix(sum.size());
  const std::string damaged = "is damaged; --force makes it anew";
  if (checksum_of(cbor) != sum) throw Error(ErrorCode::malformed_file, path, damaged);
  std::vector<Photo> photos;
  try {
    if (!is_plain(cbor)) throw Error(ErrorCode::malformed_file, path, damaged);
    const Json document = Json::from_cbor(cbor.begin(), cbor.end());
    if (document.at("recipe") != recipe_of_photos(options)) {
      note(path + ": was made with other options; all photographs are read again");
      return {};
    }
    for (const Json& kept : document.at("photos")) photos.push_back(photo_of(kept, folder));
  } catch (const Json::exception&) {
    throw Error(ErrorCode::malformed_file, path, damaged);
  } catch (const std::length_error&) {
    throw Error(ErrorCode::malformed_file, path, damaged);
  }
  return photos;
}

}  // namespace proxel::tool
