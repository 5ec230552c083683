"""proxel devices; proxel data info and convert."""

import json
import os
import unittest

from support import CommandLineTest, random_rows, read_npy, write_npy


class Devices(CommandLineTest):
    def test_json_names_every_backend_and_device(self):
        document = self.succeed_json("devices")
        self.assertEqual([one["backend"] for one in document["backends"]], ["cpu", "vulkan", "cuda"])
        for backend in document["backends"]:
            self.assertEqual("reason" in backend, not backend["available"])
        devices = {device["id"]: device for device in document["devices"]}
        self.assertTrue(devices["cpu"]["usable"])
        self.assertTrue(devices["cpu:reference"]["usable"])
        with open(os.path.join(os.path.dirname(__file__), "golden", "device.json")) as file:
            shape = json.load(file)
        for device in devices.values():
            self.assertEqual("reason" in device, not device["usable"])
            device.pop("reason", None)
            trial = device.pop("trial", None)
            self.assertEqual(trial is None, not device["usable"])
            if trial:
                self.assertEqual(sorted(trial), ["ends_long_loops", "keeps_subnormals", "remarks"])
                # Where something is lost, it is said.
                said = any("flushes" in remark for remark in trial["remarks"])
                self.assertEqual(said, not trial["keeps_subnormals"])
            self.assertEqual(sorted(device), sorted(shape))
            self.assertEqual({key: type(value).__name__ for key, value in device["capabilities"].items()},
                             shape["capabilities"])

    def test_the_table_says_why_not(self):
        out = self.succeed("devices").stdout
        for backend in self.succeed_json("devices")["backends"]:
            self.assertIn(backend.get("reason", backend["backend"]), out)
        for device in self.succeed_json("devices")["devices"]:
            for remark in device.get("trial", {}).get("remarks", []):
                self.assertIn(f"{device['id']} {remark}", out)


class Data(CommandLineTest):
    def test_info(self):
        write_npy(self.path("base.npy"), random_rows(10, 4, 1))
        document = self.succeed_json("data", "info", "base.npy")
        self.assertEqual(document, {
            "command": "data info", "path": "base.npy", "format": "npy", "rows": 10, "columns": 4,
            "type": "float32", "file_bytes": os.path.getsize(self.path("base.npy")), "parts": []})
        self.assertIn("float32", self.succeed("data", "info", "base.npy").stdout)

    def test_convert_there_and_back(self):
        rows = random_rows(10, 4, 1)
        write_npy(self.path("base.npy"), rows)
        previous = "base.npy"
        for name in ("a.fvecs", "b.fbin", "c.csv", "d.npy"):
            self.succeed("data", "convert", previous, name)
            previous = name
        self.assertEqual(read_npy(self.path("d.npy")), ("f4", rows))

    def test_convert_keeps_integers(self):
        with open(self.path("truth.csv"), "w") as file:
            file.write("1,2\n16777217,4\n")
        self.succeed("data", "convert", "truth.csv", "truth.ivecs")
        self.succeed("data", "convert", "truth.ivecs", "truth.npy")
        kind, rows = read_npy(self.path("truth.npy"))
        self.assertIn(kind, ("u4", "i4"))
        self.assertEqual(rows, [[1, 2], [16777217, 4]])

    def test_convert_limits_rows(self):
        rows = random_rows(10, 4, 1)
        write_npy(self.path("base.npy"), rows)
        document = self.succeed_json("data", "convert", "base.npy", "part.npy", "--first-row", 2,
                                     "--rows", 3)
        self.assertEqual(document["rows"], 3)
        self.assertEqual(read_npy(self.path("part.npy"))[1], rows[2:5])


if __name__ == "__main__":
    unittest.main()
