#include "report/report.hpp"

#include <algorithm>
#include <ctime>
#include <thread>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/utsname.h>

#include "devices.hpp"
#include "proxel/version.h"
#include "report/plot.hpp"
#include "write_text.hpp"

namespace proxel::tool {
namespace {

constexpr const char* page_style =
    ":root{color-scheme:light dark;--ink:#1b1b1b;--page:#fff;--rule:#d5d5d5;--soft:#f3f3f3;"
    "--good:#00633f;--bad:#a11212}"
    "@media (prefers-color-scheme:dark){:root{--ink:#e8e8e8;--page:#161616;--rule:#444;"
    "--soft:#232323;--good:#5fd3a2;--bad:#ff8d8d}}"
    "body{background:var(--page);color:var(--ink);font:16px/1.5 system-ui,sans-serif;"
    "max-width:960px;margin:2rem auto;padding:0 1rem}"
    "h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2.2rem}"
    ".scroll{overflow-x:auto}table{border-collapse:collapse;font-size:.9rem}"
    "th,td{padding:.25rem .7rem;border-bottom:1px solid var(--rule);text-align:left}"
    ".number{text-align:right;font-variant-numeric:tabular-nums}"
    ".good{color:var(--good)}.bad{color:var(--bad);font-weight:600}.cell-strong{font-weight:600}"
    ".verdict{font-size:1.1rem;font-weight:600;border-left:.3rem solid;padding-left:.7rem}"
    "figure{margin:1.2rem 0}figcaption{font-size:.9rem}"
    ".pictures{display:flex;flex-wrap:wrap;gap:.8rem;align-items:flex-end}.pictures figure{margin:0}"
    ".pictures figcaption{max-width:10rem;overflow-wrap:anywhere}"
    "h3{font-size:1.05rem;margin-top:1.8rem}"
    "pre{background:var(--soft);padding:.7rem;overflow-x:auto;white-space:pre-wrap}"
    // Paper is white, has no scroll bars, and ends anywhere.
    "@media print{:root{color-scheme:light;--ink:#000;--page:#fff;--rule:#bbb;--soft:#fff;--good:#00633f;--bad:#a11212}"
    "body{font-size:10pt;max-width:none;margin:0}.scroll{overflow:visible}table{font-size:7.5pt}"
    "th,td{padding:.1rem .35rem}figure,tr,.verdict{break-inside:avoid}h2,h3{break-after:avoid}}";

// RFC 4648.
std::string base64(const std::vector<std::uint8_t>& bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j) group = group << 8 | (j < count ? bytes[i + j] : 0u);
    for (std::size_t j = 0; j < 4; ++j) text += j <= count ? digits[group >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

const char* css_class(Style style) {
  switch (style) {
    case Style::good:
      return "good";
    case Style::bad:
      return "bad";
    case Style::strong:
      return "cell-strong";
    default:
      return "";
  }
}

}  // namespace

Report::Report(std::string title) : title_(std::move(title)) {}

void Report::heading(std::string_view text) { body_ += fmt::format("<h2>{}</h2>\n", escape(text)); }

void Report::subheading(std::string_view text) { body_ += fmt::format("<h3>{}</h3>\n", escape(text)); }

void Report::paragraph(std::string_view text) { body_ += fmt::format("<p>{}</p>\n", escape(text)); }

void Report::verdict(bool good, std::string_view text) {
  body_ += fmt::format("<p class=\"verdict {}\">{} {}</p>\n", good ? "good" : "bad", good ? "✓" : "✗", escape(text));
}

void Report::table(const Table& table) {
  body_ += "<div class=\"scroll\"><table><thead><tr>";
  for (const Column& column : table.columns())
    body_ +=
        fmt::format("<th scope=\"col\"{}>{}</th>", column.number ? " class=\"number\"" : "", escape(column.heading));
  body_ += "</tr></thead><tbody>\n";
  for (const auto& row : table.rows()) {
    body_ += "<tr>";
    for (std::size_t column = 0; column < row.size(); ++column)
      body_ += fmt::format("<td class=\"{} {}\">{}</td>", table.columns()[column].number ? "number" : "",
                           css_class(row[column].style), escape(row[column].text));
    body_ += "</tr>\n";
  }
  body_ += "</tbody></table></div>\n";
}

void Report::figure(const std::string& svg, std::string_view caption) {
  if (svg.empty()) return;
  body_ += fmt::format("<figure>{}<figcaption>{}</figcaption></figure>\n", svg, escape(caption));
}

void Report::pictures(const std::vector<Picture>& row) {
  body_ += "<div class=\"pictures\">";
  for (const Picture& picture : row) {
    body_ += "<figure>";
    if (!picture.png.empty())
      body_ += fmt::format("<img alt=\"{}\" src=\"data:image/png;base64,{}\">", escape(picture.alternative),
                           base64(picture.png));
    body_ += fmt::format("<figcaption>{}</figcaption></figure>\n", escape(picture.caption));
  }
  body_ += "</div>\n";
}

void Report::code(std::string_view text) { body_ += fmt::format("<pre><code>{}</code></pre>\n", escape(text)); }

void Report::origin(const std::string& command_line) {
  heading("Machine");
  Table machine({{"what"}, {"value"}});
  utsname system{};
  uname(&system);
  machine.add({"system", fmt::format("{} {} {}", system.sysname, system.release, system.machine)});
  machine.add({"processor threads", std::to_string(std::thread::hardware_concurrency())});
  for (const DeviceInfo& device : list_devices())
    machine.add({device.id, device.usable
                                ? full_name(device)
                                : fmt::format("{}; not usable: {}", full_name(device), device.usable.reason)});
  for (const Backend* backend : backends())
    if (const Support available = backend->available(); !available)
      machine.add({std::string(to_string(backend->kind())), "left out: " + available.reason});
  machine.add({"proxel", PROXEL_VERSION_STRING});
  machine.add({"measured", fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::time(nullptr)))});
  table(machine);
  heading("How to repeat this");
  code(command_line);
}

std::string Report::html() const {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
      "<meta name=\"generator\" content=\"proxel " PROXEL_VERSION_STRING
      "\">"
      "<title>{0}</title><style>{1}{2}</style></head>\n<body><h1>{0}</h1>\n{3}</body></html>\n",
      escape(title_), page_style, plot_style(), body_);
}

void Report::write(const std::string& place) const { write_text(place, html()); }

}  // namespace proxel::tool
