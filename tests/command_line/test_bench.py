"""proxel-bench: the CSV that joins with other libraries' figures, and its report."""

import csv
import io
import json
import math
import re
import subprocess
import unittest

from support import BENCH, PROGRAM, CommandLineTest, random_rows, write_npy

COLUMNS = ["group", "name", "metric", "n", "q", "d", "k", "median_ms", "min_ms"]


class Bench(CommandLineTest):
    program = BENCH

    def rows(self, *arguments):
        out = self.succeed(*arguments, "--quick", "--csv").stdout
        reader = csv.DictReader(io.StringIO(out))
        self.assertEqual(reader.fieldnames, COLUMNS)
        return list(reader)

    def test_scan(self):
        rows = self.rows("scan", "--device", "cpu")
        groups = {row["group"] for row in rows}
        self.assertLessEqual({"ceiling", "bustos_fig3", "bustos_batch1000", "bustos_fig3_call"}, groups)
        for row in rows:
            self.assertGreater(float(row["median_ms"]), 0)
            if row["group"] != "ceiling":
                self.assertLessEqual(float(row["min_ms"]), float(row["median_ms"]))
        self.assertIn("1000", {row["q"] for row in rows})

    def test_latency(self):
        names = {row["name"] for row in self.rows("latency", "--device", "cpu")}
        self.assertEqual(names, {"empty_submit_cpu", "proxel_scan_cpu"})

    def test_calls(self):
        document = self.succeed_json("calls", "--quick", "--seconds", "0.01", "--device", "cpu")
        self.assertEqual(document["differences"] + document["failures"], [])
        self.assertEqual([(row["name"], row["q"]) for row in document["rows"]],
                         [("same_cpu", 1), ("same_cpu", 2), ("varied_cpu", 1), ("same_cpu", 33), ("same_cpu", 32), ("varied_cpu", 33)])

    def test_recorded(self):
        document = self.succeed_json("recorded", "--quick", "--seconds", "0.01", "--device", "cpu")
        self.assertEqual(document["differences"] + document["failures"], [])
        names = {row["name"] for row in document["rows"]}
        for searched in ("rows", "words", "permutations", "vector_permutations"):
            self.assertIn(f"{searched}_planned_cpu", names)
            self.assertIn(f"{searched}_range_search_cpu", names)
        for name, queries in (("fused_cpu", {10, 100}), ("fused_counted_cpu", {0, 10, 100})):
            self.assertEqual({row["q"] for row in document["rows"] if row["name"] == name}, queries)

    def test_sort(self):
        document = self.succeed_json("sort", "--quick", "--device", "cpu")
        self.assertEqual(document["differences"] + document["failures"], [])
        rows = [row for row in document["rows"] if row["group"] == "sort_rows"]
        whole = {row["name"] for row in rows if row["k"] == row["n"]}
        self.assertEqual(whole, {"proxel_quick-sort_cpu", "proxel_auto_cpu", "std_sort_1core"})
        self.assertIn("proxel_quick-sort_cpu", {row["name"] for row in rows if row["k"] == row["n"] // 10})
        self.assertTrue(any(note.startswith("CUB on cpu: ") for note in document["notes"]))

    def test_permutation(self):
        document = self.succeed_json("permutation", "--quick", "--device", "cpu")
        self.assertEqual(document["differences"] + document["failures"], [])
        rows = [row for row in document["rows"] if "recall" in row["remark"]]
        self.assertEqual(len(rows), 8)
        self.assertTrue(all(row["median_ms"] > 0 and row["metric"] == "cosine" for row in rows))

    def test_krulis(self):
        document = self.succeed_json("krulis", "--quick", "--largest-rows", 200, "--device", "cpu")
        self.assertEqual(document["differences"] + document["failures"], [])
        names = {row["name"] for row in document["rows"]}
        for name in ("float32", "float64", "alpha_3_none", "alpha_0.01_ptolemaic_block_64"):
            for team in ("cpu", "cpu_1_core"):
                self.assertIn(f"{name}_{team}", names)
        by_index = [row for row in document["rows"] if row["group"] == "signature_index"]
        together = [row for row in document["rows"] if row["group"] == "krulis_travel_together"]
        self.assertEqual({row["name"] for row in together if row["name"].endswith("_cpu")},
                         {f"room_for_1_in_{part}_cpu" for part in (1, 2, 8)})
        self.assertTrue(all("; filtered " in row["remark"] for row in document["rows"] if row not in by_index + together))
        for row in by_index:
            method = "filtered" if "_filtered_" in row["name"] else "screened"
            self.assertIn(f"{method} answered; left out by pivots ", row["remark"])

    def test_permutation_of_rows_from_a_file(self):
        write_npy(self.path("rows.npy"), random_rows(200, 5, 1))
        rows = self.rows("permutation", "--device", "cpu", "--data", "rows.npy", "--metric", "ip")
        self.assertEqual({row["metric"] for row in rows}, {"ip"})
        self.assertEqual({row["n"] for row in rows}, {"180"})

    def test_signatures(self):
        document = self.succeed_json("signatures", "--quick", "--seconds", "0.01", "--device", "cpu")
        self.assertEqual(document["differences"] + document["failures"], [])
        rows = [row for row in document["rows"] if row["group"] == "signatures"]
        self.assertTrue(all(row["median_ms"] > 0 and row["metric"] == "sqfd" for row in rows))
        for alpha in ("3", "0.2", "0.01"):
            for what in ("distances_screened", "distances_canonical", "nearest", "nearest_with_host"):
                name = f"{what}_alpha_{alpha}_cpu"
                self.assertEqual([row["q"] for row in rows if row["name"] == name], [1, 4])

    def test_extraction(self):
        document = self.succeed_json("extraction", "--quick", "--seconds", "0.01", "--device", ",".join(self.devices()))
        self.assertEqual(document["differences"] + document["failures"], [])
        self.assertEqual({row["group"] for row in document["rows"]}, {"extraction_32x32", "extraction_256x192"})
        names = {row["name"] for row in document["rows"]}
        for device in ["cpu_all_threads", "cpu_1_thread", *(each for each in self.devices() if each != "cpu")]:
            self.assertIn("whole_" + device, names)

    def test_cliffs(self):
        # What is found is a matter of times, which say nothing on a machine that does other work beside: both exit codes
        # are right here, and what is looked at is that points were measured, judged and told of, and answers agree.
        result = self.run_program("cliffs", "--quick", "--time", 8, "--device", "cpu", "--json", "--report", "cliffs.html")
        self.assertIn(result.returncode, (0, 1), result.stderr)
        document = json.loads(result.stdout)
        self.assertEqual(document["differences"] + document["failures"], [])
        self.assertEqual(result.returncode, 1 if document["findings"] else 0)
        chosen = [row for row in document["rows"] if row["group"].endswith("_chosen")]
        self.assertTrue(chosen)
        self.assertGreater(len(document["rows"]), len(chosen))
        self.assertTrue(all(row["median_ms"] > 0 and row["remark"].startswith("chosen") for row in chosen))
        for finding in document["findings"]:
            self.assertRegex(finding, r"^cpu: .+; again: proxel-bench cliffs --device cpu( --only metric=\S+){1,2}$")
        with open(self.path("cliffs.html")) as file:
            self.assertIn("chosen beside the best other", file.read())

    def test_a_cliff_is_looked_at_again(self):
        points = ["metric=l1,n=300,q=5,d=9,k=7", "metric=l1,n=300,q=5,d=9,k=8"]
        result = self.run_program("cliffs", "--quick", "--device", "cpu", "--only", points[0], "--only", points[1],
                                  "--methods", "fused", "--slack", 1e6, "--csv")
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = list(csv.DictReader(io.StringIO(result.stdout)))
        self.assertEqual([(row["group"], row["name"], row["n"], row["q"], row["d"], row["k"]) for row in rows],
                         [("cliffs_given" + part, f"proxel_{method}_cpu", "300", "5", "9", k) for k in "78"
                          for part, method in (("_chosen", "scan"), ("", "fused"))])
        self.assertIn("--only", self.fail_with(2, "cliffs", "--device", "cpu", "--only", "n=many"))
        result = self.run_program("cliffs", "--device", "cpu", "--only", "metric=l1,n=4294967294,q=1,d=1,k=1")
        self.assertEqual(result.returncode, 3)
        self.assertIn("4,294,967,294 × 1, one query, k = 1 do not fit the memory of cpu", result.stderr)
        result = self.run_program("cliffs", "--quick", "--device", "cpu", "--walk", "metric_3_dimensions", "--csv", "--time", 20)
        self.assertIn(result.returncode, (0, 1), result.stderr)
        groups = {row["group"] for row in csv.DictReader(io.StringIO(result.stdout))}
        self.assertEqual(groups, {"cliffs_metric_3_dimensions", "cliffs_metric_3_dimensions_chosen"})
        self.assertIn("k_many_queries", self.fail_with(2, "cliffs", "--device", "cpu", "--walk", "nowhere"))
        drawn = [self.run_program("cliffs", "--quick", "--device", "cpu", "--random", 12, "--seed", seed, "--csv")
                 for seed in (1, 1, 2)]
        points = []
        for result in drawn:
            self.assertIn(result.returncode, (0, 1), result.stderr)
            rows = list(csv.DictReader(io.StringIO(result.stdout)))
            points.append([tuple(row[size] for size in ("metric", "n", "q", "d", "k")) for row in rows
                           if row["group"] == "cliffs_random_chosen"])
            self.assertEqual(len(points[-1]), 12)
        self.assertEqual(points[0], points[1])
        self.assertNotEqual(points[0], points[2])
        self.assertIn("--random", self.fail_with(2, "cliffs", "--device", "cpu", "--random", 0))
        result = self.run_program("cliffs", "--quick", "--device", "cpu", "--random", 3, "--largest-rows", 128, "--seed", 2)
        self.assertEqual(result.returncode, 3)
        self.assertIn("left out, as --largest-rows says", result.stdout + result.stderr)
        self.assertIn("cpu: nothing was measured", result.stderr)
        self.assertIn("each part of it once", self.fail_with(2, "cliffs", "--device", "cpu", "--only", "k=10"))
        self.assertIn("--walk", self.fail_with(2, "cliffs", "--random", 3, "--walk", "k_l1"))
        self.assertIn("is not for the suite scan, but for cliffs", self.fail_with(2, "scan", "--time", 5))

    def test_updates(self):
        document = self.succeed_json("updates", "--quick", "--device", ",".join(self.devices()))
        self.assertEqual(document["differences"] + document["failures"], [])
        names = {row["name"] for row in document["rows"]}
        for name in ("all_rows", "filter_1_in_100", "removed", "added", "compacted", "add_row"):
            self.assertIn(name + "_cpu", names)
        rows = {row["name"]: row["n"] for row in document["rows"]}
        self.assertEqual(rows["added_cpu"], rows["all_rows_cpu"] + 100)
        self.assertLess(rows["compacted_cpu"], rows["added_cpu"])

    def test_graphs(self):
        document = self.succeed_json("graph", "--quick", "--seconds", "0.01", "--methods", "auto,komarov", "--device",
                                     ",".join(self.devices()))
        self.assertEqual(document["differences"] + document["failures"], [])
        shapes = {(row["group"], row["n"], row["k"]) for row in document["rows"] if row["name"] == "auto_cpu"}
        for group, more in (("graph", 0), ("graph_call", 0), ("graph_with_self", 1), ("graph_with_self_call", 1)):
            self.assertLessEqual({(group, 700, 10 + more), (group, 700, 100 + more), (group, 1000, 16 + more)}, shapes)
        write_npy(self.path("rows.npy"), random_rows(40, 6, 3))
        document = self.succeed_json("graph", "--quick", "--device", "cpu", "--data", "rows.npy")
        self.assertEqual({(row["n"], row["q"], row["d"]) for row in document["rows"]}, {(40, 40, 6)})
        self.assertEqual({row["k"] for row in document["rows"]}, {10, 11})

    def test_streaming(self):
        document = self.succeed_json("streaming", "--quick", "--seconds", "0.01", "--device", "cpu")
        self.assertEqual(document["differences"] + document["failures"], [])
        self.assertEqual({row["group"] for row in document["rows"]}, {"link", "resident", "streamed", "pinned"})
        names = {row["name"] for row in document["rows"] if row["group"] == "resident"}
        self.assertEqual(len(names), 14)
        for group, more in (("streamed", set()), ("pinned", {"locking rows"})):
            self.assertEqual({row["name"] for row in document["rows"] if row["group"] == group}, names | more)

    def test_parts(self):
        document = self.succeed_json("parts", "--quick", "--seconds", "0.01", "--device", "cpu")
        self.assertEqual(document["differences"] + document["failures"], [])
        self.assertEqual({row["group"] for row in document["rows"]}, {"parts_streamed", "parts_pinned"})
        sizes = {(row["name"], row["n"], row["q"], row["k"]) for row in document["rows"]}
        self.assertLessEqual({("rows in room for 32 tiles", 5120 + more, 130, 20) for more in range(-2, 3)}, sizes)
        self.assertLessEqual({("k", 5119, 200, 256 + more) for more in range(-2, 3)}, sizes)
        self.assertLessEqual({("copied queries", 5119, 128 + more, 10) for more in range(-1, 2)}, sizes)
        self.assertLessEqual({("copied filters", 5119, 12 + more, 10) for more in range(-1, 3)}, sizes)

    def test_narrow_rows(self):
        document = self.succeed_json("narrow", "--quick", "--seconds", "0.01", "--device", ",".join(self.devices()))
        self.assertEqual(document["differences"] + document["failures"], [])
        types = ("float32", "float16", "uint8", "int8")
        names = {type + "_" + device for type in types for device in self.devices()}
        self.assertEqual({row["name"] for row in document["rows"]}, names)
        self.assertEqual({row["group"] for row in document["rows"]}, {*types, *(type + "_call" for type in types)})

    def test_many_rows_of_bytes(self):
        document = self.succeed_json("bytes", "--quick", "--largest-rows", "9001", "--seconds", "0.01", "--device",
                                     ",".join(self.devices()))
        self.assertEqual(document["differences"] + document["failures"], [])
        self.assertEqual({(row["group"], row["name"], row["n"], row["q"], row["k"]) for row in document["rows"]},
                         {(group, "uint8_" + device, 9001, 100, 100) for device in self.devices()
                          for group in ("bytes", "bytes_call", "bytes_first")})

    def test_layouts(self):
        document = self.succeed_json("layout", "--quick", "--seconds", "0.01", "--device", ",".join(self.devices()))
        self.assertEqual(document["differences"] + document["failures"], [])
        self.assertEqual({(row["group"], row["n"], row["d"], row["k"]) for row in document["rows"]},
                         {("layout", 700, 2, 15)})
        self.assertEqual({row["name"] for row in document["rows"]}, {"step_" + device for device in self.devices()})

    def test_signature_permutations_with_their_recall(self):
        document = self.succeed_json("signatures", "--quick", "--seconds", "0.01", "--device", "cpu")
        self.assertEqual(document["differences"] + document["failures"], [])
        rows = [row for row in document["rows"] if row["group"] == "signature_permutation"]
        self.assertTrue(rows)
        for row in rows:
            self.assertRegex(row["name"], r"^permutation_\d+_f_[0-9.]+_alpha_[0-9.]+_cpu$")
            self.assertRegex(row["remark"], r"recall [01]\.\d+ by identity")
        self.assertTrue([row for row in document["rows"] if row["group"] == "signature_permutation_build"])

    def test_bustos_draws_its_figures(self):
        document = self.succeed_json("bustos", "--quick", "--device", "cpu", "--report", "bustos.html")
        groups = {row["group"] for row in document["rows"]}
        self.assertLessEqual({"bustos_fig3_left", "bustos_fig3_right"}, groups)
        self.assertEqual(document["differences"], [])
        self.assertEqual(document["verdict"], "every answer is identical to the CPU's")
        with open(self.path("bustos.html")) as file:
            page = file.read()
        self.assertEqual(page.count("<svg"), 2)
        self.assertIn("figure 3, left", page)
        self.assertIn("proxel-bench bustos --quick", page)

    def devices(self):
        """The processor, and a Vulkan device where there is one."""
        listed = json.loads(subprocess.check_output([PROGRAM, "devices", "--json"], env=self.environment))["devices"]
        vulkan = [one["id"] for one in listed if one["backend"] == "vulkan" and one["usable"]]
        return ["cpu"] + vulkan[:1]

    def knn_rows(self, suite, *arguments):
        """Rows of a k-NN suite on every device, after checking what all of them promise."""
        devices = self.devices()
        document = self.succeed_json(suite, "--quick", "--device", ",".join(devices), *arguments)
        self.assertEqual(document["differences"] + document["failures"], [])
        rows = [row for row in document["rows"] if "yardsticks" in row]
        for row in rows:
            self.assertEqual(row["metric"], "l2sq")
            self.assertGreater(row["median_ms"], 0)
            self.assertGreater(row["yardsticks"]["scratch_bytes"], 0)
            self.assertGreater(row["yardsticks"]["floors_ms"]["read"], 0)
            # Every query was compared with brute force, and some with the reference.
            self.assertRegex(row["remark"], "^equal: %d to brute force, [1-9][0-9]* to the reference"
                             % row["q"] if row["q"] < 1000 else "^equal: ")
            self.assertEqual(len([call for call in document["rows"]
                                  if call["group"] == row["group"] + "_call" and
                                  all(call[key] == row[key] for key in "nqdk") and
                                  call["name"] == row["name"]]), 1)
        for device in devices:
            self.assertTrue([row for row in rows if row["name"].endswith("_" + device)], device)
        return rows, document

    def test_garcia(self):
        rows, document = self.knn_rows("garcia", "--rows", 256, "--dimensions", 4, "--methods",
                                       "auto,texel", "--float-rate", 2, "--matrix-rate", 8)
        self.assertEqual({row["group"] for row in rows}, {"garcia_table1"})
        self.assertEqual({(row["n"], row["q"], row["d"], row["k"]) for row in rows},
                         {(256, 256, 4, 20)})
        self.assertEqual(len(rows), 2 * len(document["devices"]))
        for row in rows:
            held = row["yardsticks"]
            # 2 * 256 * 256 * 4 operations at 2 and 8 * 10^12 a second
            self.assertAlmostEqual(held["floors_ms"]["float"], 524288 / 2e9)
            self.assertAlmostEqual(held["floors_ms"]["matrix"], 524288 / 8e9)
            self.assertEqual(held["published_on_h200"],
                             {"name": "FAISS 1.15", "ms": 0.055, "same_kind_of_device": False})
            # A target is for the device that it was set for.
            self.assertIsNone(held["target_ms"])

    def test_practical(self):
        rows, _ = self.knn_rows("practical", "--dimensions", "3,96")
        self.assertEqual({(row["q"], row["d"], row["k"]) for row in rows}, {(48, 3, 16), (48, 96, 100)})

    def test_sift(self):
        rows, document = self.knn_rows("sift", "--rows", "128,256")
        self.assertEqual({(row["n"], row["q"], row["d"], row["k"]) for row in rows},
                         {(128, 1024, 128, 20), (256, 1024, 128, 20)})
        votes = [note for note in document["notes"] if note.startswith("Votes at n = ")]
        self.assertEqual(len(votes), 2)
        for note in votes:
            self.assertIn("unambiguous matches for image 0 with", note)
        peers = {row["name"] for row in document["rows"] if not row["name"].startswith("proxel_") and
                 row["group"] == "garcia_sift"}
        for peer in ("faiss_flat", "hnswlib_brute_force", "ann_kdtree"):
            left_out = [note for note in document["notes"] if note.startswith(peer + ": left out")]
            self.assertTrue(left_out or [name for name in peers if name.startswith(peer)], peer)

    def test_sift_of_a_file(self):
        write_npy(self.path("features.npy"), random_rows(2100, 5, 3, integers=True))
        rows, document = self.knn_rows("sift", "--rows", "128", "--data", "features.npy")
        self.assertEqual({(row["n"], row["d"]) for row in rows}, {(128, 5)})
        self.assertFalse([note for note in document["notes"] if note.startswith("Votes")])
        write_npy(self.path("few.npy"), random_rows(10, 5, 3))
        self.assertIn("10 rows", self.fail_with(2, "sift", "--data", "few.npy"))

    def test_rows_of_a_file_are_what_is_measured(self):
        write_npy(self.path("rows.npy"), random_rows(700, 6, 3))
        for suite, sizes in (("bustos", {83, 167, 334, 668}), ("scan", {350}), ("garcia", {256, 350}),
                             ("practical", {652})):
            with self.subTest(suite=suite):
                document = self.succeed_json(suite, "--quick", "--seconds", "0.01", "--device", "cpu", "--data", "rows.npy")
                self.assertEqual(document["differences"] + document["failures"], [])
                rows = [row for row in document["rows"] if "given" in row["group"]]
                self.assertEqual({row["n"] for row in rows}, sizes)
                self.assertEqual({row["d"] for row in rows}, {6})
                self.assertTrue([note for note in document["notes"] if note.startswith("Data: rows.npy, n = ")])
        # Distances that overflow, and rows of NaN, are rows all the same.
        huge = [[1e20 * (value + 1) for value in row] for row in random_rows(700, 6, 3)]
        write_npy(self.path("huge.npy"), huge)
        write_npy(self.path("nan.npy"), [[math.nan] * 6 if i % 7 == 0 else row for i, row in enumerate(random_rows(700, 6, 3))])
        for suite in ("garcia", "permutation"):
            for file in ("huge.npy", "nan.npy"):
                with self.subTest(suite=suite, file=file):
                    document = self.succeed_json(suite, "--quick", "--seconds", "0.01", "--device", "cpu", "--data", file)
                    self.assertEqual(document["differences"] + document["failures"], [])
        write_npy(self.path("few.npy"), random_rows(9, 6, 3))
        self.assertIn("9 rows", self.fail_with(2, "garcia", "--data", "few.npy"))

    def test_signatures_of_a_file(self):
        def signature(i):
            return "".join(f"{i % 7}.{j} 0.{i % 9} {j}.5 {1 + j}\n" for j in range(4))
        with open(self.path("made.txt"), "w") as file:
            file.write("4 3 100\n\n" + "".join(f"image{i}\n{signature(i)}\n" for i in range(90)))
        for suite, size in (("signatures", 86), ("krulis", 87)):
            document = self.succeed_json(suite, "--quick", "--seconds", "0.01", "--device", "cpu", "--data", "made.txt")
            self.assertEqual(document["differences"] + document["failures"], [])
            self.assertEqual({(row["n"], row["d"]) for row in document["rows"]}, {(size, 3)})
            self.assertIn(f"Data: made.txt, n = {size} signatures of 3 dimensions, 4 centroids at most; {90 - size} others",
                          " ".join(document["notes"]))

    def test_suites_without_use_for_data_say_why(self):
        write_npy(self.path("rows.npy"), random_rows(20, 6, 3))
        for suite in ("latency", "calls", "select", "sort", "recorded", "shards", "streaming", "parts", "narrow", "bytes", "filters", "updates",
                      "cpu-knn", "layout", "cliffs", "extraction"):
            with self.subTest(suite=suite):
                self.assertRegex(self.fail_with(2, suite, "--quick", "--data", "rows.npy"),
                                 f"--data: {suite} takes no data: it ")

    def test_options_of_other_suites_are_refused(self):
        for suite, option, value in (("papers", "--rows", "128"), ("papers", "--metric", "ip"), ("papers", "--only", "n=5"),
                                     ("narrow", "--methods", "scan"), ("scan", "--queries", "words.txt"),
                                     ("latency", "--largest-rows", "500"), ("words", "--reductions-per-pass", "1"),
                                     ("graph", "--matrix-rate", "1"), ("garcia", "--paper", "garcia")):
            with self.subTest(suite=suite, option=option):
                self.assertIn(f"{option}: is not for the suite {suite}, but for ", self.fail_with(2, suite, option, value))

    def test_a_page_is_named_as_one(self):
        for suite in ("papers", "scan"):
            self.assertIn("'page.txt' does not end in .html", self.fail_with(2, suite, "--quick", "--report", "page.txt"))

    def test_cpu_knn(self):
        document = self.succeed_json("cpu-knn", "--quick", "--dimensions", 4)
        self.assertEqual(document["differences"], [])
        names = [row["name"] for row in document["rows"]]
        self.assertTrue([name for name in names if name.startswith("proxel_") and
                         name.endswith("_cpu_1_thread")], names)
        document = self.succeed_json("cpu-knn", "--quick", "--dimensions", 128, "--methods", "scan,fused")
        self.assertEqual(document["differences"], [])
        self.assertEqual({(row["group"], row["n"], row["q"], row["k"]) for row in document["rows"]},
                         {("cpu_one_query", 20000, 1, 10)})

    def test_words_with_their_recall(self):
        document = self.succeed_json("words", "--quick", "--device", "cpu")
        self.assertEqual(document["differences"], [])
        rows = [row for row in document["rows"] if "recall" in row["remark"]]
        self.assertEqual(len(rows), 9)
        self.assertTrue(all(row["median_ms"] > 0 for row in rows))

    def test_select(self):
        document = self.succeed_json("select", "--quick", "--seconds", "0.01", "--device", "cpu")
        self.assertEqual(document["differences"] + document["failures"], [])
        self.assertTrue(document["rows"])

    def test_help_explains_every_suite_and_has_examples(self):
        result = self.succeed("--help")
        self.assertEqual(result.stderr, "")
        offered = re.search(r"SUITE :\{(.+?)\}", result.stdout).group(1).split(",")
        self.assertGreater(len(offered), 10)
        for suite in offered:
            self.assertRegex(result.stdout, rf"(?m)^  {suite}(?: |$)")
        self.assertIn("Examples:\n  proxel-bench ", result.stdout)
        self.assertIn("Exit codes: 0 success; 1 an answer differs", result.stdout)
        self.assertIn("130 ended by Ctrl-C", result.stdout)
        self.assertRegex(self.succeed("--version").stdout, r"^proxel-bench \d+\.\d+\.\d+$")

    def test_bad_usage_exits_with_2(self):
        for arguments in ([], ["everything"], ["scan", "--csv", "--json"], ["scan", "sort"], ["bench", "scan"],
                          ["scan", "--device", "gpu"], ["scan", "--seconds", "never"], ["scan", "--seconds", "nan"],
                          ["garcia", "--float-rate", "inf"], ["permutation", "--metric", "l3"]):
            with self.subTest(arguments=arguments):
                self.fail_with(2, *arguments)
        self.assertIn("'--devcie' is no option of 'proxel-bench'; did you mean '--device'?",
                      self.fail_with(2, "scan", "--devcie", "cpu"))
        self.assertIn("'proxel-bench --help' shows what is possible", self.fail_with(2, "everything"))
        self.assertIn("nowhere", self.fail_with(2, "scan", "--report", "nowhere/report.html"))
        failed = self.run_program("scan", "--device", "gpu", "--json")
        self.assertEqual(json.loads(failed.stdout)["error"]["subject"], "--device")
        self.assertTrue(failed.stderr.startswith("proxel-bench: error: "), failed.stderr)

    def test_proxel_names_the_program_that_it_is_now(self):
        for arguments in ([], ["garcia", "--quick", "--csv"], ["--help"]):
            with self.subTest(arguments=arguments):
                called = subprocess.run([PROGRAM, "bench", *arguments], env=self.environment, text=True, capture_output=True)
                self.assertEqual(called.returncode, 2)
                self.assertEqual(called.stdout, "")
                self.assertEqual(called.stderr, "proxel: error: command line: 'bench' is a program of its own: " +
                                 " ".join(["proxel-bench", *arguments]) + "\n")

    def test_a_choice_that_leaves_nothing_is_an_error(self):
        self.assertIn("leave nothing", self.fail_with(2, "garcia", "--rows", 77))
        self.assertIn("method", self.fail_with(2, "garcia", "--methods", "fastest"))


if __name__ == "__main__":
    unittest.main()
