"""proxel-bench papers: the papers' digits beside this machine's, verdicts, the page and its CSV."""

import csv
import io
import re
import unittest

from support import BENCH, CommandLineTest, random_rows, write_npy

COLUMNS = ["paper", "exhibit", "whose", "role", "device", "method", "curve", "x_label", "x", "quantity", "y", "source"]
VERDICTS = {"holds", "holds by more", "does not hold", "not measured"}
ROLES = {"paper's method", "rival", "one thread", "all threads", "best today"}
EXHIBITS = {
    "bustos": ["figure 3 (left)", "figure 3 (right)", "figure 4 (left)", "figure 4 (right)"],
    "garcia": ["table 1", "figure 2 (top)", "figure 2 (bottom)", "figure 3"],
    "komarov": ["figure 4", "figure 5", "figure 6", "figure 7", "figure 8", "figure 9",
                "section on distances"],
    "lopresti": ["figure 3", "figure 4", "table 1", "table 2", "figure 5", "figure 6", "figure 7", "figure 8"],
    "krulis": ["figure 2", "section 5.1", "figure 3"],
}
# Of each paper some of its digits: exhibit, curve, x, quantity, y.
DIGITS = {
    "bustos": [("figure 4 (left)", "", 0, "speed-up over one thread", 6.4),
               ("figure 4 (left)", "", 2, "speed-up over one thread", 4.2)],
    "garcia": [("table 1", "d = 64", 65536, "time", 1296.367), ("table 1", "d = 256", 8192, "time", 0.405),
               ("table 1", "d = 1", 512, "time", 0.002)],
    "komarov": [("figure 4", "k = 512", 262144, "speed-up over Garcia's sort", 350),
                ("figure 9", "k = 1024", 1048576, "speed-up over nth_element, one thread", 41)],
    "lopresti": [("table 1", "", 80, "queries per second", 29621.19), ("table 2", "", 5, "queries per second", 11262.48),
                 ("figure 7", "k = 2, 64 permutants", 10, "recall", 85)],
    "krulis": [("figure 2", "", 0, "speed-up over all threads", 5.6), ("figure 2", "", 1, "speed-up over all threads", 3.4)],
}


class Papers(CommandLineTest):
    program = BENCH

    def quick(self, paper, *arguments):
        document = self.succeed_json("papers", "--quick", "--seconds", "0.005", "--paper", paper, "--device", "cpu",
                                     *arguments)
        self.assertEqual(document["differences"] + document["failures"], [])
        self.assertEqual(document["verdict"], "every answer is identical to the CPU's")
        return document

    def check(self, paper):
        """What holds of every paper's exhibits."""
        document = self.quick(paper)
        exhibits = document["exhibits"]
        self.assertEqual([one["name"] for one in exhibits], EXHIBITS[paper])
        for one in exhibits:
            with self.subTest(exhibit=one["name"]):
                self.assertEqual(one["paper"], paper)
                self.assertTrue(one["caption"] and one["data"])
                self.assertTrue(one["judgements"])
                for judged in one["judgements"]:
                    self.assertIn(judged["verdict"], VERDICTS)
                    self.assertTrue(judged["why"])
                    self.check_verdict(one, judged)
                for row in one["rows"]:
                    self.assertIn(row["role"], ROLES)
                    self.assertGreaterEqual(row["y"], 0)
                    self.assertEqual(row["whose"] == "paper", row["device"] not in ("cpu", "host"))
        ours = [row for one in exhibits for row in one["rows"] if row["whose"] == "proxel"]
        for role in ROLES - {"rival", "all threads"}:
            self.assertTrue([row for row in ours if row["role"] == role], role)
        for name, curve, x, quantity, y in DIGITS[paper]:
            of_paper = [row for one in exhibits if one["name"] == name for row in one["rows"]
                        if row["whose"] == "paper" and row["source"] == "digits"]
            self.assertTrue([row for row in of_paper if (row["curve"], row["x"], row["quantity"], row["y"]) ==
                             (curve, x, quantity, y)], (name, y))
        return document

    def check_verdict(self, exhibit, judged):
        """A verdict follows from its numbers, and where the number is a simple one, from the rows."""
        if judged["verdict"] == "not measured":
            self.assertIsNone(judged["measured"])
            return
        ratio = judged["measured"] / judged["number"]
        if judged["direction"] == "at most":
            ratio = 1 / ratio
            self.assertEqual(judged["verdict"] == "does not hold", ratio < 1 / 1.05)
        else:
            self.assertEqual(judged["verdict"] == "does not hold", ratio < 0.95)
        self.assertEqual(judged["verdict"] == "holds by more", ratio >= 1.25)
        values = [row["y"] for row in exhibit["rows"] if row["whose"] == "proxel" and row["role"] == "paper's method" and
                  row["quantity"] == judged["quantity"]]
        if judged["combine"] in ("largest", "smallest", "mean"):
            self.assertTrue(min(values) * 0.999 <= judged["measured"] <= max(values) * 1.001)

    def test_bustos(self):
        document = self.check("bustos")
        left = document["exhibits"][0]
        times = {(row["role"], row["x"]): row["y"] for row in left["rows"]
                 if row["whose"] == "proxel" and row["quantity"] == "time"}
        for row in left["rows"]:
            if row["quantity"] == "speed-up over one thread" and row["whose"] == "proxel":
                self.assertAlmostEqual(row["y"], times["one thread", row["x"]] / times[row["role"], row["x"]])
        mean = next(one for one in left["judgements"] if one["combine"] == "mean")
        speed_ups = [row["y"] for row in left["rows"] if row["quantity"] == "speed-up over one thread" and
                     row["role"] == "paper's method" and row["whose"] == "proxel"]
        self.assertAlmostEqual(mean["measured"], sum(speed_ups) / len(speed_ups))
        self.assertIn("real rows", document["exhibits"][2]["data"])
        self.assertIn("a second model of GPU", document["exhibits"][3]["judgements"][0]["why"])

    def test_garcia(self):
        document = self.check("garcia")
        digits = [row for row in document["exhibits"][0]["rows"] if row["source"] == "digits"]
        self.assertEqual(len(digits), 3 * 45)
        methods = {row["method"] for row in document["exhibits"][0]["rows"] if row["role"] == "paper's method" and
                   row["whose"] == "proxel"}
        self.assertEqual(methods, {"CUDA form", "CUBLAS form", "distances alone"})

    def test_komarov(self):
        document = self.check("komarov")
        self.assertTrue([row for row in document["exhibits"][0]["rows"] if row["role"] == "rival"])
        for exhibit, rivals in ((2, {"truncated bitonic sort"}), (3, {"Alabi's radix select", "Alabi's bucket select"})):
            rows = document["exhibits"][exhibit]["rows"]
            self.assertEqual({row["method"] for row in rows if row["role"] == "rival"}, rivals)
            self.assertNotIn("not measured", [one["verdict"] for one in document["exhibits"][exhibit]["judgements"]])

    def test_lopresti(self):
        document = self.check("lopresti")
        self.assertEqual(len([row for row in document["exhibits"][2]["rows"] if row["source"] == "digits"]), 21)
        recalls = [row["y"] for row in document["exhibits"][6]["rows"] if row["whose"] == "proxel"]
        self.assertTrue(recalls and all(0 < recall <= 100 for recall in recalls))

    def test_krulis(self):
        self.check("krulis")

    def test_page_and_csv(self):
        document = self.quick("bustos", "--report", "papers.html")
        with open(self.path("papers.html"), encoding="utf-8") as file:
            page = file.read()
        for one in document["exhibits"]:
            self.assertIn("Bustos 2006, " + one["name"], page)
        # Times and speed-ups of both halves of figure 3 and of figure 4's left, what is to be expected of its right.
        self.assertEqual(page.count("<svg"), 7)
        self.assertIn("(from its prose)", page)
        self.assertIn("prefers-color-scheme:dark", page)
        self.assertIn("@media print", page)
        self.assertIn("cpu: of the papers' claims ", page)
        self.assertIn("speed-up over one thread, mean", page)
        self.assertIn("nothing about the papers", page)
        self.assertIn("proxel-bench papers --quick", page)
        self.assertFalse(re.search(r'(?:src|href)="http', page))
        with open(self.path("papers.csv"), encoding="utf-8") as file:
            reader = csv.DictReader(file)
            self.assertEqual(reader.fieldnames, COLUMNS)
            rows = list(reader)
        self.assertEqual(len(rows), sum(len(one["rows"]) for one in document["exhibits"]))
        self.assertIn("6.4", {row["y"] for row in rows if row["whose"] == "paper"})
        # Its own files are replaced, another is not.
        self.quick("bustos", "--report", "papers.html")
        with open(self.path("papers.csv"), "w", encoding="utf-8") as file:
            file.write("mine\n")
        self.assertIn("papers.csv", self.fail_with(2, "papers", "--quick", "--paper", "bustos", "--report", "papers.html"))

    def test_csv_on_stdout(self):
        out = self.succeed("papers", "--quick", "--paper", "krulis", "--device", "cpu", "--csv").stdout
        reader = csv.DictReader(io.StringIO(out))
        self.assertEqual(reader.fieldnames, COLUMNS)
        self.assertEqual({row["paper"] for row in reader}, {"krulis"})

    def test_data_of_a_file(self):
        write_npy(self.path("rows.npy"), random_rows(300, 7, 1))
        document = self.quick("bustos", "--data", "rows.npy")
        self.assertIn("300 rows of 7 columns of rows.npy", document["exhibits"][2]["data"])
        self.assertIn("--paper says which", self.fail_with(2, "papers", "--data", "rows.npy"))
        self.assertIn("komarov takes none", self.fail_with(2, "papers", "--paper", "komarov", "--data", "rows.npy"))

    def test_bad_usage(self):
        self.fail_with(2, "papers", "--paper", "newton")
        self.assertIn("is not for the suite scan, but for papers", self.fail_with(2, "scan", "--paper", "bustos"))


if __name__ == "__main__":
    unittest.main()
