// How claims of papers are judged: rows that are made here, so that every verdict is seen.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include "bench/papers/exhibit.hpp"
#include "bench/papers/judging.hpp"

using namespace proxel::tool::papers;

namespace {

constexpr const char* speed_up = "speed-up over one thread";

Row row(Role role, const std::string& device, double x, double y, const std::string& curve = "",
        const std::string& method = "a method") {
  return {false, role, Source::measured, device, method, curve, x, "time", y};
}

// The paper's: 64 s on its processor, 1 s on its GPU. Here 8 ms on one thread; 1 ms and 4 ms on the device.
Exhibit made() {
  Exhibit exhibit;
  exhibit.x_label = "n";
  exhibit.quantities = {{"time", "ms"}, {speed_up, "×"}};
  exhibit.rows = {row(Role::one_thread, "host", 10, 8),     row(Role::one_thread, "host", 20, 8),
                  row(Role::faithful, "cuda:0", 10, 1),     row(Role::faithful, "cuda:0", 20, 4),
                  row(Role::best, "cuda:0", 10, 0.25),      row(Role::best, "cuda:0", 20, 0.25, "", "another"),
                  row(Role::faithful, "vulkan:0", 10, 2.5), row(Role::faithful, "vulkan:0", 20, 5)};
  Row paper = row(Role::one_thread, "Pentium", 10, 64);
  paper.of_paper = true;
  exhibit.rows.push_back(paper);
  paper.role = Role::faithful;
  paper.device = "GeForce";
  paper.y = 1;
  exhibit.rows.push_back(paper);
  add_ratios(exhibit, {speed_up, "time", Role::one_thread, "", {Role::faithful, Role::best}, ""});
  return exhibit;
}

Claim claim(Combine combine, Direction direction, double number) {
  return {"words", speed_up, combine, direction, number};
}

double number(const Exhibit& exhibit, Combine combine, Direction direction = Direction::at_least,
              const std::string& device = "cuda:0") {
  return measured_number(exhibit, claim(combine, direction, 1), device, Role::faithful).value();
}

}  // namespace

TEST_CASE("ratios divide rows of one place, and never the paper's by ours") {
  const Exhibit exhibit = made();
  std::vector<double> ours, papers;
  for (const Row& one : exhibit.rows)
    if (one.quantity == speed_up) {
      CHECK(one.source == Source::computed);
      (one.of_paper ? papers : ours).push_back(one.y);
    }
  CHECK(ours == std::vector<double>{8, 2, 32, 32, 3.2, 1.6});
  CHECK(papers == std::vector<double>{64});
}

TEST_CASE("a rival on a device is divided by the same device alone, at the same curve and x") {
  Exhibit exhibit;
  exhibit.rows = {row(Role::rival, "cuda:0", 1, 6, "k = 2"), row(Role::faithful, "cuda:0", 1, 3, "k = 2"),
                  row(Role::faithful, "vulkan:0", 1, 3, "k = 2"), row(Role::faithful, "cuda:0", 2, 3, "k = 2"),
                  row(Role::faithful, "cuda:0", 1, 3, "k = 4")};
  add_ratios(exhibit, {"over", "time", Role::rival, "", {Role::faithful}, ""});
  REQUIRE(exhibit.rows.size() == 6);
  CHECK(exhibit.rows.back().y == 2);
  CHECK(exhibit.rows.back().device == "cuda:0");
}

TEST_CASE("one number is made of rows as the claim says") {
  const Exhibit exhibit = made();
  CHECK(number(exhibit, Combine::mean) == 5);
  CHECK(number(exhibit, Combine::largest) == 8);
  CHECK(number(exhibit, Combine::smallest) == 2);
  CHECK(number(exhibit, Combine::at_last) == 2);
  CHECK(number(exhibit, Combine::growth) == 0.25);
  CHECK(number(exhibit, Combine::spread) == 4);
  CHECK(number(exhibit, Combine::mean, Direction::at_least, "vulkan:0") == doctest::Approx(2.4));
  Claim at = claim(Combine::mean, Direction::at_least, 1);
  at.at = 10;
  CHECK(measured_number(exhibit, at, "cuda:0", Role::faithful) == 8);
  CHECK_FALSE(measured_number(exhibit, at, "cuda:1", Role::faithful));
  at.method = "another";
  CHECK_FALSE(measured_number(exhibit, at, "cuda:0", Role::faithful));
}

TEST_CASE("of several curves the one counts that is worst for the claim") {
  Exhibit exhibit;
  exhibit.rows = {row(Role::faithful, "cpu", 1, 1, "a"), row(Role::faithful, "cpu", 2, 3, "a"),
                  row(Role::faithful, "cpu", 1, 1, "b"), row(Role::faithful, "cpu", 2, 5, "b")};
  Claim growth{"words", "time", Combine::growth, Direction::at_least, 1};
  CHECK(measured_number(exhibit, growth, "cpu", Role::faithful) == 3);
  growth.direction = Direction::at_most;
  CHECK(measured_number(exhibit, growth, "cpu", Role::faithful) == 5);
  growth.curves = {"a"};
  CHECK(measured_number(exhibit, growth, "cpu", Role::faithful) == 3);
}

TEST_CASE("verdicts stand at their limits") {
  const Claim least = claim(Combine::mean, Direction::at_least, 100);
  CHECK(verdict_of(least, 94) == Verdict::does_not_hold);
  CHECK(verdict_of(least, 96) == Verdict::holds);
  CHECK(verdict_of(least, 124) == Verdict::holds);
  CHECK(verdict_of(least, 126) == Verdict::holds_by_more);
  const Claim most = claim(Combine::mean, Direction::at_most, 100);
  CHECK(verdict_of(most, 106) == Verdict::does_not_hold);
  CHECK(verdict_of(most, 104) == Verdict::holds);
  CHECK(verdict_of(most, 81) == Verdict::holds);
  CHECK(verdict_of(most, 79) == Verdict::holds_by_more);
}

TEST_CASE("the reason is made of the rows") {
  const Exhibit exhibit = made();
  const Claim much = claim(Combine::mean, Direction::at_least, 20);
  const Judgement failed = judge(exhibit, much, {"cuda:0", false});
  CHECK(failed.verdict == Verdict::does_not_hold);
  CHECK(failed.measured == 5);
  CHECK(
      failed.why ==
      "speed-up over one thread: from 2.000 × (n = 20) to 8.000 × (n = 10); it does of the best method of today, which "
      "has 32.00; since the paper its method became 1.00 × as fast here, the processor's 8.00 ×");
  CHECK(judge(exhibit, claim(Combine::mean, Direction::at_least, 50), {"cuda:0", false})
            .why.find("; nor does it of the best method of today, which has 32.00") != std::string::npos);
  const Judgement on_processor = judge(exhibit, much, {"vulkan:0", true});
  CHECK(on_processor.why.find("; the device is a processor itself") != std::string::npos);
  CHECK(on_processor.why.find("best method") == std::string::npos);
  const Judgement held = judge(exhibit, claim(Combine::mean, Direction::at_least, 5), {"cuda:0", false});
  CHECK(held.verdict == Verdict::holds);
  CHECK(held.why == "speed-up over one thread: from 2.000 × (n = 20) to 8.000 × (n = 10)");
}

TEST_CASE("nothing measured is no verdict, and what is absent is the reason") {
  Exhibit exhibit = made();
  const Claim one = claim(Combine::mean, Direction::at_least, 1);
  CHECK(judge(exhibit, one, {"cuda:7", false}).verdict == Verdict::not_measured);
  CHECK(judge(exhibit, one, {"cuda:7", false}).why == "cuda:7 has too few rows of it");
  exhibit.absent = {"a library", "another"};
  CHECK(judge(exhibit, one, {"cuda:7", false}).why == "a library; another");
  exhibit.claims = {one, one};
  CHECK(tally({exhibit}, {"cuda:0", false}) ==
        "cuda:0: of the papers' claims 2 hold by more, 0 hold, 0 do not hold, 0 were not measured");
  CHECK(judge(exhibit, std::vector<Judged>{{"cuda:0", false}, {"cpu", true}}).size() == 4);
}
