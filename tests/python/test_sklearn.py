"""proxel.sklearn beside scikit-learn: its checks of estimators, its own tests, and the same neighbours."""
import copy
import importlib.util
import multiprocessing
import os
import pathlib
import pickle
import re
import subprocess
import sys
import unittest
import warnings

import numpy as np
import pytest

import proxel

theirs = pytest.importorskip("sklearn.neighbors")
import proxel.sklearn as ours  # noqa: E402
from sklearn.utils import estimator_checks  # noqa: E402


def whole_numbers(random, rows, columns):
    """Float64 whose distances are whole or roots of whole numbers, which float32 holds as well."""
    return random.integers(-30, 30, (rows, columns)).astype(float)


def checks_of(estimator):
    """scikit-learn's checks, each with an estimator of its own."""
    if hasattr(estimator_checks, "estimator_checks_generator"):  # since 1.6
        return estimator_checks.estimator_checks_generator(estimator)
    return estimator_checks.check_estimator(estimator, generate_only=True)


@pytest.mark.parametrize("name", ours.__all__)
def test_estimators_pass_scikit_learns_checks(name):
    passed = 0
    for estimator, check in checks_of(getattr(ours, name)(device="cpu")):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                check(estimator)
                passed += 1
            except unittest.SkipTest:
                pass
    assert passed > 25


@pytest.mark.parametrize("module", ["test_neighbors", "test_neighbors_pipeline", "test_graph"])
def test_scikit_learns_own_tests_pass_where_they_apply(module, python_path):
    if not importlib.util.find_spec(f"sklearn.neighbors.tests.{module}"):
        pytest.skip("this scikit-learn comes without its tests")
    here = str(pathlib.Path(__file__).parent)
    environment = dict(python_path, PYTHONPATH=os.pathsep.join([here, python_path["PYTHONPATH"]]))
    ended = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "-p",
            "sklearn_theirs",
            "--tb=short",
            "-W",
            "ignore",
            "--pyargs",
            f"sklearn.neighbors.tests.{module}",
        ],
        capture_output=True,
        text=True,
        env=environment,
    )
    assert ended.returncode == 0, ended.stdout[-5000:] + ended.stderr[-1000:]
    passed = int(re.search(r"(\d+) passed", ended.stdout).group(1))
    assert passed >= {"test_neighbors": 200, "test_neighbors_pipeline": 4, "test_graph": 4}[module], ended.stdout[-300:]


@pytest.mark.parametrize("metric", ["euclidean", "sqeuclidean", "manhattan", "chebyshev", "minkowski"])
def test_neighbours_are_those_of_scikit_learn(device, random, metric):
    rows, queries = whole_numbers(random, 300, 5), whole_numbers(random, 40, 5)
    expected = theirs.NearestNeighbors(n_neighbors=7, radius=40, metric=metric, algorithm="brute").fit(rows)
    found = ours.NearestNeighbors(n_neighbors=7, radius=40, metric=metric, device=device).fit(rows)
    for asked in (queries, None):
        distances, indices = found.kneighbors(asked)
        assert distances.dtype == np.float64 and indices.dtype == np.intp
        np.testing.assert_allclose(distances, expected.kneighbors(asked)[0], rtol=1e-6)
        of_pairs = np.take_along_axis(
            np.array([[pair(metric, q, row) for row in rows] for q in (rows if asked is None else asked)]), indices, 1
        )
        np.testing.assert_allclose(distances, of_pairs, rtol=1e-6)
        if asked is None:
            assert not (indices == np.arange(300)[:, None]).any()
        for mine, other in zip(found.radius_neighbors(asked, sort_results=False), expected.radius_neighbors(asked)):
            assert len(mine) == len(other)
            for a, b in zip(mine, other):
                np.testing.assert_allclose(a, b, rtol=1e-6)


def pair(metric, a, b):
    difference = np.abs(a - b)
    return {
        "euclidean": np.sqrt((difference**2).sum()),
        "minkowski": np.sqrt((difference**2).sum()),
        "sqeuclidean": (difference**2).sum(),
        "manhattan": difference.sum(),
        "chebyshev": difference.max(),
    }[metric]


def test_graphs_are_scikit_learns(device, random):
    rows = whole_numbers(random, 120, 9)  # no equal distances of different rows are nearest here
    for name, options in (
        ("KNeighborsTransformer", dict(n_neighbors=4)),
        ("RadiusNeighborsTransformer", dict(radius=45)),
    ):
        for mode in ("distance", "connectivity"):
            mine = getattr(ours, name)(mode=mode, device=device, **options).fit_transform(rows)
            other = getattr(theirs, name)(mode=mode, algorithm="brute", **options).fit_transform(rows)
            assert mine.format == "csr" and mine.shape == other.shape and mine.nnz == other.nnz
            np.testing.assert_array_equal(mine.indptr, other.indptr)
            if name[0] == "K" and mode == "distance":
                for i in range(120):  # sorted by distance, the row itself first
                    row = mine.data[mine.indptr[i] : mine.indptr[i + 1]]
                    assert mine.indices[mine.indptr[i]] == i and (np.diff(row) >= 0).all()
                    np.testing.assert_allclose(row, other.data[other.indptr[i] : other.indptr[i + 1]], rtol=1e-6)
            else:
                np.testing.assert_allclose(mine.toarray(), other.toarray(), rtol=1e-6)


def test_predictions_are_those_of_scikit_learn(device, random):
    rows, queries = random.random((400, 6), np.float32), random.random((50, 6), np.float32)
    classes, values = random.choice(["a", "b", "c"], 400), random.random((400, 2))
    for weights in ("uniform", "distance", lambda distances: 1 / (1 + distances)):
        mine = ours.KNeighborsClassifier(5, weights=weights, device=device).fit(rows, classes)
        other = theirs.KNeighborsClassifier(5, weights=weights, algorithm="brute").fit(rows, classes)
        assert (mine.predict(queries) == other.predict(queries)).all()
        np.testing.assert_allclose(mine.predict_proba(queries), other.predict_proba(queries), rtol=1e-4)
        assert mine.score(queries, other.predict(queries)) == 1
        regressed = ours.KNeighborsRegressor(5, weights=weights, device=device).fit(rows, values).predict(queries)
        np.testing.assert_allclose(
            regressed,
            theirs.KNeighborsRegressor(5, weights=weights, algorithm="brute").fit(rows, values).predict(queries),
            rtol=1e-4,
        )


def test_the_neighbours_are_of_proxels_index(monkeypatch, random):
    """Nothing else may answer: neither a tree nor scikit-learn's own brute force."""
    rows, classes = random.random((50, 3), np.float32), random.integers(0, 2, 50)
    model = ours.KNeighborsClassifier(device="cpu").fit(rows, classes)
    assert model._tree is None

    def search(self, queries, k, **options):
        return proxel.Neighbors(np.zeros((len(queries), k), np.float32), np.full((len(queries), k), 7))

    monkeypatch.setattr(proxel.Index, "search", search)
    assert (model.predict(rows) == classes[7]).all() and (model.predict_proba(rows).argmax(1) == classes[7]).all()


def test_estimators_are_pickled_copied_and_cloned_without_their_index(random):
    rows = random.random((30, 3), np.float32)
    model = ours.NearestNeighbors(n_neighbors=2, device="cpu").fit(rows)
    expected = model.kneighbors()
    for again in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model), copy.copy(model)):
        assert "_index" not in again.__dict__
        for a, b in zip(again.kneighbors(), expected):
            assert (a == b).all()
    assert model.get_params()["device"] == "cpu"


def child(model, answers):
    answers.put(model.kneighbors(return_distance=False))


def test_a_forked_child_makes_its_own_index(random):
    model = ours.NearestNeighbors(n_neighbors=2, device="cpu").fit(random.random((30, 3), np.float32))
    context = multiprocessing.get_context("fork")
    answers = context.Queue()
    process = context.Process(target=child, args=(model, answers))
    process.start()
    assert (answers.get(timeout=60) == model.kneighbors(return_distance=False)).all()
    process.join(60)
    assert process.exitcode == 0


def test_what_is_not_served_is_refused(random):
    from scipy import sparse

    rows = random.random((30, 3))
    for options in (
        dict(metric="hamming"),
        dict(p=3),
        dict(metric=lambda a, b: 0.0),
        dict(metric_params=dict(w=[1, 2, 3])),
    ):
        with pytest.raises(ValueError, match="not served"):
            ours.NearestNeighbors(device="cpu", **options).fit(rows)
    with pytest.raises(TypeError, match="sparse data"):
        ours.NearestNeighbors(device="cpu").fit(sparse.csr_matrix(rows))
    model = ours.NearestNeighbors(device="cpu").fit(rows)
    with pytest.raises(TypeError, match="sparse data"):
        model.kneighbors(sparse.csr_matrix(rows))
    with pytest.raises(ValueError, match="float32 has not"):
        model.kneighbors([[1e300, 0, 0]])
    with pytest.raises(ValueError, match="n_neighbors <= n_samples"):
        model.kneighbors(n_neighbors=30)
    with pytest.raises(proxel.NotFoundError):
        ours.NearestNeighbors(device="nowhere:0").fit(rows)
    with pytest.raises(ValueError, match="device"):
        ours.NearestNeighbors(device=3).fit(rows)


def test_graphs_that_are_precomputed_are_scikit_learns(random):
    rows, classes = random.random((60, 4), np.float32), random.integers(0, 3, 60)
    graph = ours.KNeighborsTransformer(n_neighbors=9, device="cpu").fit(rows)
    direct = ours.KNeighborsClassifier(3, device="cpu").fit(rows, classes)
    chained = ours.KNeighborsClassifier(3, metric="precomputed").fit(graph.transform(rows), classes)
    queries = random.random((20, 4), np.float32)
    assert (chained.predict(graph.transform(queries)) == direct.predict(queries)).all()
