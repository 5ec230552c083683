#include <csetjmp>
#include <cstdio>

#include <jpeglib.h>

#include <jerror.h>

#include "images/orientation.hpp"
#include "proxel/error.hpp"

namespace proxel::images {
namespace {

/// libjpeg leaves its functions by longjmp, which must not pass objects that have
/// destructors: each function here that sets a mark has none.
class JpegDecoder {
 public:
  JpegDecoder() {
    info_.err = jpeg_std_error(&errors_);
    errors_.error_exit = [](j_common_ptr info) {
      info->err->format_message(info, self(info)->complaint_);
      std::longjmp(self(info)->mark_, 1);
    };
    errors_.emit_message = [](j_common_ptr info, int level) {
      if (level < 0) self(info)->note_warning();
    };
    errors_.output_message = [](j_common_ptr) {};
    progress_.progress_monitor = [](j_common_ptr info) { self(info)->check_scans(); };
    info_.client_data = this;
  }
  ~JpegDecoder() { jpeg_destroy_decompress(&info_); }
  JpegDecoder(const JpegDecoder&) = delete;
  JpegDecoder& operator=(const JpegDecoder&) = delete;

  /// Reads the header. False: complaint() says why not.
  bool begin(Bytes bytes) {
    if (setjmp(mark_) != 0) return false;
    jpeg_create_decompress(&info_);
    info_.client_data = this;
    info_.progress = &progress_;
    jpeg_mem_src(&info_, bytes.data(), bytes.size());
    jpeg_save_markers(&info_, exif_marker, 0xFFFF);
    jpeg_read_header(&info_, TRUE);
    info_.out_color_space = is_cmyk() ? JCS_CMYK : JCS_RGB;
    // The decoder whose result the format's standard bounds most closely.
    info_.dct_method = JDCT_ISLOW;
    return true;
  }

  std::uint32_t width() const { return info_.image_width; }
  std::uint32_t height() const { return info_.image_height; }
  /// Huffman's shortest code says with one bit that a block of 8 x 8 pixels is as the one before;
  /// arithmetic coding says so of any number.
  std::uint64_t most_pixels_per_byte() const { return info_.arith_code ? most_pixels : 8 * 64; }
  bool is_cmyk() const { return info_.jpeg_color_space == JCS_CMYK || info_.jpeg_color_space == JCS_YCCK; }
  /// Adobe's programs store such images inverted.
  bool is_inverted() const { return info_.saw_Adobe_marker; }

  Orientation orientation() const {
    for (const auto* marker = info_.marker_list; marker != nullptr; marker = marker->next)
      if (marker->marker == exif_marker)
        if (const Orientation told = orientation_of({marker->data, marker->data_length}); told != 1) return told;
    return 1;
  }

  /// All rows, one after another. False: complaint() says why not.
  bool read_rows(std::uint8_t* rows) {
    if (setjmp(mark_) != 0) return false;
    jpeg_start_decompress(&info_);
    const std::size_t row_bytes = std::size_t{info_.output_width} * info_.output_components;
    while (info_.output_scanline < info_.output_height) {
      JSAMPROW row = rows + row_bytes * info_.output_scanline;
      jpeg_read_scanlines(&info_, &row, 1);
    }
    jpeg_finish_decompress(&info_);
    return complaint_[0] == '\0';
  }

  const char* complaint() const { return complaint_; }

 private:
  static constexpr int exif_marker = JPEG_APP0 + 1;

  static JpegDecoder* self(j_common_ptr info) { return static_cast<JpegDecoder*>(info->client_data); }

  // libjpeg goes on with grey where data are missing; what looks like an image may be none.
  void note_warning() {
    const int code = errors_.msg_code;
    const bool harmless = code == JWRN_EXTRANEOUS_DATA || code == JWRN_JFIF_MAJOR || code == JWRN_ADOBE_XFORM;
    if (!harmless && complaint_[0] == '\0') errors_.format_message(reinterpret_cast<j_common_ptr>(&info_), complaint_);
  }

  // A small file can ask for very many passes over a large image.
  void check_scans() {
    constexpr int most_scans = 500;
    if (info_.input_scan_number <= most_scans) return;
    std::snprintf(complaint_, sizeof complaint_, "more than %d scans", most_scans);
    std::longjmp(mark_, 1);
  }

  jpeg_decompress_struct info_{};
  jpeg_error_mgr errors_{};
  jpeg_progress_mgr progress_{};
  std::jmp_buf mark_;
  char complaint_[JMSG_LENGTH_MAX] = "";
};

std::uint8_t mixed(unsigned ink, unsigned black) { return static_cast<std::uint8_t>((ink * black + 127) / 255); }

std::vector<std::uint8_t> rgb_of_cmyk(const std::vector<std::uint8_t>& cmyk, bool inverted) {
  std::vector<std::uint8_t> rgb;
  rgb.reserve(cmyk.size() / 4 * 3);
  const auto light = [&](std::uint8_t value) { return inverted ? value : 255u - value; };
  for (std::size_t i = 0; i < cmyk.size(); i += 4)
    for (std::size_t channel = 0; channel < 3; ++channel)
      rgb.push_back(mixed(light(cmyk[i + channel]), light(cmyk[i + 3])));
  return rgb;
}

}  // namespace

Image decode_jpeg(const std::string& name, Bytes bytes) {
  JpegDecoder decoder;
  const auto fail = [&] {
    throw Error(ErrorCode::malformed_file, name, std::string("damaged JPEG: ") + decoder.complaint());
  };
  if (!decoder.begin(bytes)) fail();
  check_size(name, decoder.width(), decoder.height(), bytes.size(), decoder.most_pixels_per_byte());
  Image image{decoder.width(), decoder.height(), {}};
  const std::size_t channels = decoder.is_cmyk() ? 4 : 3;
  std::vector<std::uint8_t> rows(std::size_t{image.width} * image.height * channels);
  // libjpeg forgets its markers when it has read the rows.
  const Orientation orientation = decoder.orientation();
  if (!decoder.read_rows(rows.data())) fail();
  image.rgb = decoder.is_cmyk() ? rgb_of_cmyk(rows, decoder.is_inverted()) : std::move(rows);
  return upright(std::move(image), orientation);
}

}  // namespace proxel::images
