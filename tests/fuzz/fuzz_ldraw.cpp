// LDraw files whose every sub-file is the file itself, or none.
#include <memory>
#include <string_view>

#include "check.hpp"
#include "features/ldraw.hpp"
#include "promises.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace proxel;
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const auto file = fuzzing::attempt("part", [&] { return features::parse_ldraw("part", text); });
  if (!file) return 0;
  const auto itself = std::make_shared<const features::LdrawFile>(*file);
  const auto empty = std::make_shared<const features::LdrawFile>();
  fuzzing::attempt("part", [&] {
    return features::assembled(*file, [&](const std::string& name) -> std::shared_ptr<const features::LdrawFile> {
      fuzzing::require(!name.empty() && name.find("..") == std::string::npos, "a sub-file lies in the library");
      return name.starts_with("none") ? nullptr : name.starts_with("self") ? itself : empty;
    });
  });
  return 0;
}
