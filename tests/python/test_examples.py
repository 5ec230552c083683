"""The examples run, and what they say holds."""
import importlib
import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

examples = pathlib.Path(__file__).resolve().parents[2] / "python/examples"


def run(script, *arguments, environment):
    ended = subprocess.run(
        [sys.executable, "-B", str(examples / script), *map(str, arguments)],
        capture_output=True,
        text=True,
        env=environment,
    )
    assert ended.returncode == 0, ended.stderr[-3000:]
    return ended.stdout


def test_neighbours_of_real_data(tmp_path, python_path):
    pytest.importorskip("sklearn")
    pytest.importorskip("matplotlib")
    said = run(
        "neighbours_of_real_data.py",
        "--output",
        tmp_path,
        "--device",
        "cpu",
        environment=dict(python_path, MPLCONFIGDIR=str(tmp_path)),
    )
    covtype = re.search(
        r"covtype_20k.csv.gz: 16000 rows, 4000 held out, accuracy of the nearest (\S+), best (\S+)", said
    )
    assert 0.8 < float(covtype.group(1)) <= float(covtype.group(2)), said
    assert float(re.search(r"from two coordinates alone, accuracy (\S+)", said).group(1)) > 0.6, said
    hashes = re.findall(r"^(\S+): [\d.]+ ms, ([0-9a-f]{64})$", said, re.M)
    assert "cpu" in dict(hashes) and len({sha for _, sha in hashes}) == 1, said
    for name in ("classes.png", "digits.png", "graph.png"):
        assert (tmp_path / name).stat().st_size > 5000


def test_a_file_of_ones_own(tmp_path, python_path):
    pytest.importorskip("sklearn")
    pytest.importorskip("matplotlib")
    rows = np.random.default_rng(1).integers(0, 2, (300, 4))
    table = np.column_stack([rows, rows[:, 0] * 2 + rows[:, 1]])
    np.savetxt(tmp_path / "own.csv", table, "%d", ",")
    said = run(
        "neighbours_of_real_data.py",
        "--covtype",
        tmp_path / "own.csv",
        "--output",
        tmp_path,
        "--device",
        "cpu",
        environment=dict(python_path, MPLCONFIGDIR=str(tmp_path)),
    )
    assert "own.csv: 240 rows, 60 held out, accuracy of the nearest 1.0000" in said


BASE = """class BaseANN:
    def fit(self, X): raise NotImplementedError
    def query(self, v, n): raise NotImplementedError
    def batch_query(self, X, n): raise NotImplementedError
    def get_batch_results(self): raise NotImplementedError
    def done(self): raise NotImplementedError
"""


def test_the_module_of_ann_benchmarks(tmp_path, monkeypatch, random):
    folder = tmp_path / "ann_benchmarks/algorithms"
    for name, text in (("base", BASE), ("proxel", (examples / "ann_benchmarks/module.py").read_text())):
        (folder / name).mkdir(parents=True)
        (folder / name / "module.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    module = importlib.import_module("ann_benchmarks.algorithms.proxel.module")
    config = (examples / "ann_benchmarks/config.yml").read_text()
    constructor = getattr(module, re.search(r"constructor: (\w+)", config).group(1))
    device = re.search(r"args: \[\['(\w+)'\]\]", config).group(1)
    rows, queries = random.random((200, 8)), random.random((10, 8))
    unit = rows / np.linalg.norm(rows, axis=1)[:, None], queries / np.linalg.norm(queries, axis=1)[:, None]
    expected = {"euclidean": ((rows[None] - queries[:, None]) ** 2).sum(2), "angular": 1 - unit[1] @ unit[0].T}
    for metric, distances in expected.items():
        algorithm = constructor(metric, device)
        algorithm.fit(rows)
        nearest = np.argsort(distances, 1)[:, :5]
        assert [list(algorithm.query(query, 5)) for query in queries] == nearest.tolist()
        algorithm.batch_query(queries, 5)
        assert np.asarray(algorithm.get_batch_results()).tolist() == nearest.tolist()
        assert "cpu" in str(algorithm)
        algorithm.done()
    with pytest.raises(NotImplementedError, match="hamming"):
        constructor("hamming")


def test_libraries_are_compared(python_path):
    said = run(
        "compare_libraries.py",
        "--rows",
        2000,
        "--dimensions",
        8,
        "--queries",
        1,
        30,
        "--seconds",
        0,
        environment=python_path,
    )
    lines = [line.split() for line in said.splitlines() if re.match(r"\s+\d+  ", line)]
    assert {line[1] for line in lines} >= {"proxel"}
    for count, name, milliseconds, ratio, per_second, wrong in lines:
        assert int(wrong) == 0 and float(milliseconds) > 0, (name, count)
        assert name != "proxel" or float(ratio) == 1
