"""proxel bench: the CSV that joins with other libraries' figures, and its report."""

import csv
import io
import unittest

from support import CommandLineTest

COLUMNS = ["group", "name", "metric", "n", "q", "d", "k", "median_ms", "min_ms"]


class Bench(CommandLineTest):
    def rows(self, *arguments):
        out = self.succeed("bench", *arguments, "--quick", "--csv").stdout
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

    def test_bustos_draws_its_figures(self):
        document = self.succeed_json("bench", "bustos", "--quick", "--device", "cpu", "--report",
                                     "bustos.html")
        groups = {row["group"] for row in document["rows"]}
        self.assertLessEqual({"bustos_fig3_left", "bustos_fig3_right"}, groups)
        self.assertEqual(document["differences"], [])
        self.assertEqual(document["verdict"], "every answer is identical to the CPU's")
        with open(self.path("bustos.html")) as file:
            page = file.read()
        self.assertEqual(page.count("<svg"), 2)
        self.assertIn("figure 3, left", page)


if __name__ == "__main__":
    unittest.main()
