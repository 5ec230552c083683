"""proxel.faiss by itself, and beside FAISS where that is installed: the same calls, the same answers."""
import numpy as np
import pytest

import proxel
import proxel.faiss as ours

METRICS = [ours.METRIC_L2, ours.METRIC_INNER_PRODUCT, ours.METRIC_L1, ours.METRIC_Linf]


@pytest.fixture
def faiss():
    return pytest.importorskip("faiss")


def whole_numbers(random, rows, columns):
    """Distances of these are whole numbers that float32 holds, in any order of evaluation."""
    return random.integers(-50, 50, (rows, columns)).astype(np.float32)


def distances_of(metric, queries, rows):
    difference = queries[:, None, :] - rows[None]
    return {
        ours.METRIC_L2: lambda: (difference**2).sum(2),
        ours.METRIC_INNER_PRODUCT: lambda: queries @ rows.T,
        ours.METRIC_L1: lambda: abs(difference).sum(2),
        ours.METRIC_Linf: lambda: abs(difference).max(2),
    }[metric]()


def same_but_for_ties(metric, queries, rows, mine, other):
    """Equal distances, and numbers that have them."""
    assert mine[0].dtype == other[0].dtype == np.float32 and mine[1].dtype == other[1].dtype == np.int64
    np.testing.assert_array_equal(mine[0], other[0])
    all_distances = distances_of(metric, queries, rows)
    found = mine[1] >= 0
    np.testing.assert_array_equal(found, other[1] >= 0)
    assert (np.take_along_axis(all_distances, np.maximum(mine[1], 0), 1)[found] == mine[0][found]).all()


def test_constants_are_those_of_faiss(faiss):
    for name in ("METRIC_L2", "METRIC_INNER_PRODUCT", "METRIC_L1", "METRIC_Linf"):
        assert getattr(ours, name) == getattr(faiss, name)
    for name in ours.__all__:
        assert hasattr(faiss, name) or name in ("range_search",), name


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("queries", [1, 5, 40])
def test_searches_are_those_of_faiss(faiss, device, random, metric, queries):
    rows, asked = whole_numbers(random, 500, 12), whole_numbers(random, queries, 12)
    mine, other = ours.IndexFlat(12, metric, device=device), faiss.IndexFlat(12, metric)
    for index in (mine, other):
        index.add(rows[:300])
        index.add(rows[300:])
    assert (
        mine.ntotal == other.ntotal == 500
        and mine.d == other.d
        and mine.is_trained
        and mine.metric_type == other.metric_type
    )
    for k in (1, 10, 500, 503):
        same_but_for_ties(metric, asked, rows, mine.search(asked, k), other.search(asked, k))
    np.testing.assert_array_equal(mine.assign(asked, 1), mine.search(asked, 1)[1])
    same_but_for_ties(metric, asked, rows, ours.knn(asked, rows, 3, metric, device=device), other.search(asked, 3))


@pytest.mark.parametrize("metric", [ours.METRIC_L2, ours.METRIC_INNER_PRODUCT])
def test_range_searches_are_those_of_faiss(faiss, device, random, metric):
    rows, asked = whole_numbers(random, 300, 4), whole_numbers(random, 30, 4)
    mine, other = ours.IndexFlat(4, metric, device=device), faiss.IndexFlat(4, metric)
    mine.add(rows)
    other.add(rows)
    all_distances = distances_of(metric, asked, rows)
    for threshold in (float(all_distances[0, 0]), float(np.median(all_distances)), 0.0, -1.0, 1e9):
        limits, distances, numbers = mine.range_search(asked, threshold)
        expected_limits, expected, expected_numbers = other.range_search(asked, threshold)
        assert limits.dtype == expected_limits.dtype == np.uint64
        np.testing.assert_array_equal(limits, expected_limits)
        for i in range(30):
            part = slice(int(limits[i]), int(limits[i + 1]))
            by_number, theirs = np.argsort(numbers[part]), np.argsort(expected_numbers[part])
            np.testing.assert_array_equal(numbers[part][by_number], expected_numbers[part][theirs])
            np.testing.assert_array_equal(distances[part][by_number], expected[part][theirs])
    for a, b in zip(ours.range_search(asked, rows, 900.0, metric, device=device), mine.range_search(asked, 900.0)):
        np.testing.assert_array_equal(a, b)


def test_selectors_and_vectors_are_those_of_faiss(faiss, random):
    rows, asked = whole_numbers(random, 100, 3), whole_numbers(random, 9, 3)
    mine, other = ours.IndexFlatL2(3, device="cpu"), faiss.IndexFlatL2(3)
    mine.add(rows)
    other.add(rows)
    bits = random.integers(0, 256, 13).astype(np.uint8)
    few = np.array([3, 7, 99])
    for make in (
        lambda of, inner: of.IDSelectorRange(10, 20),
        lambda of, inner: of.IDSelectorBatch(few),
        lambda of, inner: of.IDSelectorNot(inner),
        lambda of, inner: of.IDSelectorArray(few),
        lambda of, inner: of.IDSelectorBitmap(bits),
    ):
        # FAISS does not keep what it is given.
        inner = faiss.IDSelectorRange(10, 90)
        theirs = make(faiss, inner)
        parameters = faiss.SearchParameters(sel=theirs)
        expected = other.search(asked, 5, params=parameters)
        chosen = ours.SearchParameters(sel=make(ours, ours.IDSelectorRange(10, 90)))
        same_but_for_ties(ours.METRIC_L2, asked, rows, mine.search(asked, 5, params=chosen), expected)
    np.testing.assert_array_equal(mine.reconstruct(7), other.reconstruct(7))
    np.testing.assert_array_equal(mine.reconstruct_n(3, 20), other.reconstruct_n(3, 20))
    np.testing.assert_array_equal(mine.reconstruct_n(), rows)
    assert mine.remove_ids(np.array([0, 50, 99])) == other.remove_ids(np.array([0, 50, 99])) == 3
    assert mine.ntotal == other.ntotal == 97
    left = np.delete(rows, [0, 50, 99], 0)
    same_but_for_ties(ours.METRIC_L2, asked, left, mine.search(asked, 7), other.search(asked, 7))
    mine.add(rows[:2])
    np.testing.assert_array_equal(mine.reconstruct_n(), np.concatenate([left, rows[:2]]))


def test_filters_hold(device, random):
    rows = whole_numbers(random, 60, 3)
    index = ours.IndexFlatL2(3, device=device)
    index.add(rows)
    even = ours.IDSelectorBatch(np.arange(-2, 90, 2))  # some are not there
    distances, numbers = index.search(rows, 31, params=ours.SearchParameters(sel=even))
    assert (numbers[:, :30] % 2 == 0).all() and (numbers[:, 30] == -1).all()
    assert (distances[:, 30] == np.finfo(np.float32).max).all()
    limits, _, numbers = index.range_search(rows, 1e9, params=ours.SearchParameters(sel=ours.IDSelectorNot(even)))
    assert (np.diff(limits.astype(int)) == 30).all() and (numbers % 2 == 1).all()


def test_what_is_near_is_not_lost(device):
    """FAISS issues 297 and 3245: squares of what is far from the origin cancel."""
    rows = (1e4 + np.arange(40, dtype=np.float32)[:, None] / 512) * np.ones((1, 8), np.float32)
    distances, numbers = ours.knn(rows, rows, 2, device=device)
    assert (distances[:, 0] == 0).all() and (
        numbers[:, 0]
        == np.unique(rows, axis=0, return_index=True)[1][np.unique(rows, axis=0, return_inverse=True)[1].ravel()]
    ).all()


def test_an_index_without_vectors(random):
    index = ours.IndexFlatIP(4, device="cpu")
    asked = whole_numbers(random, 3, 4)

    def check():
        distances, numbers = index.search(asked, 2)
        assert (numbers == -1).all() and (distances == -np.finfo(np.float32).max).all()
        assert [len(part) for part in index.range_search(asked, 0.5)] == [4, 0, 0]
        assert index.ntotal == 0 and index.reconstruct_n().shape == (0, 4)

    check()
    index.add(np.empty((0, 4)))
    check()
    index.add(asked)
    index.train(asked)
    assert index.search(asked, 1)[1].shape == (3, 1)
    assert index.search(np.empty((0, 4)), 2)[0].shape == (0, 2)
    assert index.remove_ids(ours.IDSelectorAll()) == 3
    check()
    index.add(asked)
    index.reset()
    check()


def test_results_go_where_they_are_wanted(random):
    rows = whole_numbers(random, 20, 4)
    index = ours.IndexFlatL2(4, device="cpu")
    index.add(rows.astype(np.float64))  # is converted, as by FAISS
    distances, numbers = np.empty((20, 3), np.float32), np.empty((20, 3), np.int64)
    found = index.search(rows, 3, D=distances, I=numbers)
    assert found[0] is distances and found[1] is numbers and (distances[:, 0] == 0).all()
    _, numbers, vectors = index.search_and_reconstruct(rows[:2], 21)
    assert (vectors[0, :20] == rows[numbers[0, :20]]).all() and np.isnan(vectors[:, 20]).all()
    with pytest.raises(AssertionError):
        index.search(rows, 2, D=distances)


def test_wrong_arguments_are_refused(random):
    index = ours.IndexFlatL2(4, device="cpu")
    index.add(whole_numbers(random, 5, 4))
    for call in (
        lambda: index.add(np.ones((2, 3))),
        lambda: index.search(np.ones(4), 1),
        lambda: index.search(np.ones((1, 4)), 0),
        lambda: ours.knn(np.ones((1, 4)), np.ones(4), 1),
    ):
        with pytest.raises(AssertionError):
            call()
    for call in (
        lambda: index.reconstruct(5),
        lambda: index.reconstruct(-1),
        lambda: index.reconstruct_n(3, 3),
        lambda: index.reconstruct_batch([0, 9]),
        lambda: index.add_with_ids(np.ones((1, 4)), [7]),
        lambda: ours.IndexFlat(4, 23),
        lambda: ours.IndexFlat(0),
    ):
        with pytest.raises(RuntimeError):
            call()
    with pytest.raises(ValueError):
        index.range_search(np.ones((1, 4)), float("nan"))
    with pytest.raises(proxel.NotFoundError):
        ours.knn(np.ones((1, 4)), np.ones((1, 4)), 1, device="nowhere:0")
