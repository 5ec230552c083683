// The harness itself: its cases, its filter, its guards, its report.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include <doctest/doctest.h>

#include "case.hpp"
#include "filter.hpp"
#include "guarded_buffer.hpp"
#include "layout.hpp"
#include "shapes.hpp"
#include "values.hpp"

using namespace proxel;
using namespace proxel::conformance;

namespace {

// The value behind "n=" and its like in a case's name.
std::uint64_t field(const std::string& name, const std::string& key) {
  const std::string wanted = key + "=";
  for (std::size_t at = name.find(wanted); at != std::string::npos; at = name.find(wanted, at + 1))
    if (at > 0 && (name[at - 1] == '/' || name[at - 1] == ',')) return std::stoull(name.substr(at + wanted.size()));
  return 0;
}

bool any_quick(const std::string& prefix, const std::function<bool(const std::string&)>& holds) {
  return std::any_of(all_cases().begin(), all_cases().end(),
                     [&](const Case& one) { return one.quick && one.name.starts_with(prefix) && holds(one.name); });
}

}  // namespace

TEST_SUITE_BEGIN("harness");

TEST_CASE("names are unique") {
  std::set<std::string> names;
  for (const Case& one : all_cases()) CHECK_MESSAGE(names.insert(one.name).second, one.name);
}

TEST_CASE("the full tier holds many thousands of cases, the quick tier a few thousand") {
  const auto quick = std::count_if(all_cases().begin(), all_cases().end(),
                                   [](const Case& one) { return one.quick && !one.compile_only; });
  CHECK(quick > 1000);
  CHECK(quick < 4800);
  CHECK(all_cases().size() > 4000);
}

TEST_CASE("the quick tier has every value of every axis, for each method") {
  for (const std::string prefix : {"search/scan/", "search/texel/"}) {
    CAPTURE(prefix);
    for (const std::uint64_t n : n_axis)
      CHECK(any_quick(prefix, [&](const std::string& name) { return field(name, "n") == n; }));
    for (const std::uint64_t d : d_axis)
      CHECK(any_quick(prefix, [&](const std::string& name) { return field(name, "d") == d; }));
    for (const std::uint64_t q : q_axis)
      CHECK(any_quick(prefix, [&](const std::string& name) { return field(name, "q") == q; }));
    for (const KValue& k : k_axis) {
      CAPTURE(k.name());
      CHECK(any_quick(prefix, [&](const std::string& name) {
        const auto wanted = k.at(field(name, "n"));
        return wanted && *wanted == field(name, "k");
      }));
    }
    for (const Metric metric : all_metrics)
      for (const Kind kind : all_kinds) {
        std::string start = prefix;
        start += to_string(metric);
        start += '/';
        std::string end = "/";
        end += to_string(kind);
        CHECK(any_quick(start, [&](const std::string& name) { return name.ends_with(end); }));
      }
  }
}

TEST_CASE("a filter is a part of the name, or a pattern for all of it") {
  CHECK(selected("", "search/scan/l1"));
  CHECK(selected("scan", "search/scan/l1"));
  CHECK(!selected("scam", "search/scan/l1"));
  CHECK(selected("search/*/l1", "search/scan/l1"));
  CHECK(!selected("search/*/l1", "search/scan/l1/x"));
  CHECK(selected("*", ""));
  CHECK(selected("*l?", "search/scan/l1"));
  CHECK(!selected("*l?", "search/scan/l"));
  CHECK(selected("*a*n*", "search/scan/l1"));
  CHECK(selected("!pass/*", "search/scan/l1"));
  CHECK(!selected("!pass/*", "pass/scan_select"));
  CHECK(!selected("!", "pass/scan_select"));
  CHECK(selected("pass/*|search/*", "search/scan/l1"));
  CHECK(!selected("!pass/*|search/*", "search/scan/l1"));
  CHECK(selected("!pass/*|search/*", "errors/build"));
  CHECK(selected("a*b*c", "aXbYbZc"));
  CHECK(!selected("a*b*c", "aXbYbZ"));
}

TEST_CASE("data is the same for the same seed, another for another") {
  for (const Kind kind : all_kinds) {
    if (kind == Kind::constant) continue;
    const Data first = make_data(kind, 20, 5, 3, 11);
    const Data second = make_data(kind, 20, 5, 3, 11);
    const Data other = make_data(kind, 20, 5, 3, 12);
    const auto same = [](const Matrix<float>& a, const Matrix<float>& b) {
      return std::memcmp(a.data(), b.data(), a.rows() * a.columns() * sizeof(float)) == 0;
    };
    CHECK(same(first.database, second.database));
    CHECK(same(first.queries, second.queries));
    CHECK(!same(first.database, other.database));
  }
}

TEST_CASE("each kind of data is what its name says") {
  const auto count = [](Kind kind, auto predicate) {
    const Data data = make_data(kind, 300, 8, 5, 3);
    return std::count_if(data.database.data(), data.database.data() + 300 * 8, predicate);
  };
  CHECK(count(Kind::nan, [](float value) { return std::isnan(value); }) > 50);
  CHECK(count(Kind::nan, [](float value) { return std::isnan(value) && std::signbit(value); }) > 10);
  CHECK(count(Kind::infinity, [](float value) { return std::isinf(value) && value < 0; }) > 10);
  CHECK(count(Kind::zeros, [](float value) { return value == 0 && std::signbit(value); }) > 100);
  CHECK(count(Kind::denormals, [](float value) { return std::fpclassify(value) == FP_SUBNORMAL; }) > 1000);
  CHECK(count(Kind::overflow, [](float value) { return std::isinf(value * value); }) > 500);
  CHECK(count(Kind::offset, [](float value) { return value > 999'000 && value < 1'001'000; }) == 2400);
  CHECK(count(Kind::constant, [](float value) { return value == 0.75f; }) == 2400);
}

TEST_CASE("a distance key orders as the contract does") {
  constexpr float inf = std::numeric_limits<float>::infinity();
  const float ascending[] = {-inf, -2, -1, 0, 1, 2, inf, std::numeric_limits<float>::quiet_NaN()};
  for (std::size_t i = 1; i < std::size(ascending); ++i)
    CHECK(distance_key(ascending[i - 1], false) < distance_key(ascending[i], false));
  for (std::size_t i = 1; i + 1 < std::size(ascending); ++i)
    CHECK(distance_key(ascending[i - 1], true) > distance_key(ascending[i], true));
  CHECK(distance_key(-0.0f, false) == distance_key(0.0f, false));
  CHECK(distance_key(1.0f, false) == 0xBF800000u);
  CHECK(distance_key(-std::numeric_limits<float>::quiet_NaN(), true) == 0xFFFFFFFFu);
}

TEST_CASE("guards see stray writes") {
  const std::unique_ptr<Device> device = open_device("cpu:reference");
  const auto write = [&](GuardedBuffer::Role role, std::int64_t offset) {
    GuardedBuffer buffer(*device, "buffer", role, unwritten(100), 4);
    const BufferView view = buffer.view();
    const auto at = static_cast<std::uint64_t>(static_cast<std::int64_t>(view.offset) + offset);
    const std::uint32_t value = 0x12345678;
    upload(*device, BufferView(*view.buffer, at, 4), &value);
    buffer.fetch();
    return buffer.damage();
  };
  CHECK(write(GuardedBuffer::Role::output, 0) == "");
  CHECK(write(GuardedBuffer::Role::output, 96) == "");
  CHECK(write(GuardedBuffer::Role::scratch, 48) == "");
  CHECK(write(GuardedBuffer::Role::input, 48) == "buffer: byte 48 of this input was changed");
  CHECK(write(GuardedBuffer::Role::output, -4) == "buffer: a byte 4 bytes before its start was written");
  CHECK(write(GuardedBuffer::Role::output, 100) == "buffer: a byte 1 bytes past its end was written");
  CHECK(write(GuardedBuffer::Role::scratch, 1000) != "");
}

TEST_CASE("listing names the cases and opens no device") {
  Options options;
  options.quick = true;
  options.filter = "errors/search/scan/k=0";
  options.list_only = true;
  const Report report = run(options);
  REQUIRE(report.cases.size() == 1);
  CHECK(report.cases[0].outcome == Outcome::listed);
  CHECK(report.devices.empty());
  CHECK(report.conforms());
}

TEST_CASE("what cannot be run is an error") {
  Options options;
  options.quick = true;
  options.filter = "no such case";
  CHECK_THROWS_AS(run(options), const Error&);
  options.filter = "errors/search/scan/k=0";
  options.devices = {"cpu:nonsense"};
  CHECK_THROWS_AS(run(options), const Error&);
}

TEST_CASE("a report names seed, device and the command that repeats a case") {
  Options options;
  options.quick = true;
  options.filter = "pass/merge_lists/queries=1,lists=1,k=1,stride=1/ties";
  options.devices = {"cpu:reference"};
  options.seed = 7;
  const Report report = run(options);
  REQUIRE(report.cases.size() == 1);
  CHECK(report.cases[0].repeat ==
        "proxel conformance --device cpu:reference --filter "
        "'pass/merge_lists/queries=1,lists=1,k=1,stride=1/ties' --seed 7");
  CHECK(to_table(report).find("seed 7") != std::string::npos);
  CHECK(to_json(report).find("\"seed\": 7") != std::string::npos);
}

TEST_SUITE_END();
