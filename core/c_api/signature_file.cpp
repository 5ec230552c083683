// Files of feature signatures.
#include "proxel/signature_file.hpp"

#include <fmt/format.h>

#include "c_api/arguments.hpp"
#include "c_api/names.hpp"
#include "c_api/objects.hpp"

using namespace proxel;
using namespace proxel::c_api;

proxel_status proxel_signature_file_read(const char* path, proxel_signature_file** file) {
  return guarded([&] {
    required(file, "file");
    *file = make_lone_handle<proxel_signature_file>(read_signature_file(text_of(path, "path")));
  });
}

proxel_status proxel_signature_file_get(const proxel_signature_file* file, proxel_signature_file_view* view) {
  return guarded([&] {
    const SignatureFile& own = handled(file, "file").file;
    write_struct(view,
                 {.struct_size = 0,
                  .offsets = own.signatures.offsets().data(),
                  .centroids = own.signatures.centroids().data(),
                  .weights = own.signatures.weights().data(),
                  .count = own.signatures.size(),
                  .dimensions = own.signatures.dimensions(),
                  .name_count = own.names.size(),
                  .recipe = own.recipe.c_str()},
                 "view");
  });
}

proxel_status proxel_signature_file_get_name(const proxel_signature_file* file, uint64_t number, char* name,
                                             uint64_t capacity, uint64_t* bytes) {
  return guarded([&] {
    const auto& names = handled(file, "file").file.names;
    if (number >= names.size())
      refuse("number", fmt::format("{} was given, the file has {} names", number, names.size()));
    copy_text(names[number], name, capacity, bytes);
  });
}

void proxel_signature_file_destroy(proxel_signature_file* file) { destroy(file); }

proxel_status proxel_signature_file_write(const char* path, const proxel_signatures* signatures,
                                          const char* const* names, const char* recipe) {
  return guarded([&] {
    const std::string file = text_of(path, "path");
    SignatureFile content;
    content.signatures = signatures_of(signatures, "signatures");
    for (std::uint64_t i = 0; names && i < content.signatures.size(); ++i) {
      if (!names[i]) refuse("names", fmt::format("name {} is a null pointer", i));
      content.names.emplace_back(names[i]);
    }
    if (recipe) content.recipe = recipe;
    write_signature_file(file, content);
  });
}
