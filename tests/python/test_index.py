"""Answers of indexes of vectors, against numpy's in binary64 and between devices."""
import gc

import numpy as np
import oracle
import proxel
import pytest


@pytest.fixture
def rows(random):
    return random.random((700, 12), dtype=np.float32)


@pytest.fixture
def queries(random):
    return random.random((23, 12), dtype=np.float32)


@pytest.mark.parametrize('metric', proxel.metrics())
def test_the_nearest_are_those_of_the_definition(rows, queries, metric, device):
    with proxel.Index(rows, metric, device) as index:
        found = index.search(queries, 9)
        expected, numbers = oracle.nearest(queries, rows, 9, metric)
        assert found.distances.dtype == np.float32 and found.indices.dtype == np.int64
        np.testing.assert_allclose(found.distances, expected, rtol=2e-5, atol=2e-5)
        assert (found.indices == numbers).mean() > 0.99  # binary64 parts what binary32 has not
        assert found.metric == metric and found.report is None


def test_whole_numbers_are_exact_and_ties_go_to_the_lower_number(random, device):
    rows = random.integers(0, 4, (500, 6)).astype(np.float32)
    found = proxel.Index(rows, 'l1', device).search(rows[:40], 20)
    distances, numbers = oracle.nearest(rows[:40], rows, 20, 'l1')
    assert (found.indices == numbers).all() and (found.distances == distances).all()


@pytest.mark.parametrize('metric', proxel.metrics())
def test_devices_have_the_same_bits(rows, queries, metric, device):
    def bits(on):
        index = proxel.Index(rows, metric, on)
        near, graph = index.search(queries, 7), index.knn_graph(3)
        within = index.range_search(queries, float(near.distances[0, -1]))
        return [array.tobytes() for found in (near, graph, within) for array in found]

    assert bits(device) == bits('cpu:reference')


def test_within_a_radius(rows, queries, device):
    offsets, distances, indices = proxel.Index(rows, 'l1', device).range_search(queries, 2.5)
    expected = oracle.distances(queries, rows, 'l1')
    assert offsets[0] == 0 and offsets[-1] == len(indices) == len(distances) > 0
    for i in range(len(queries)):
        part = slice(offsets[i], offsets[i + 1])
        assert set(indices[part]) == set(np.flatnonzero(expected[i] <= 2.5))
        assert (np.diff(distances[part]) >= 0).all()


def test_a_filter_leaves_rows_out(rows, queries, random, device):
    index = proxel.Index(rows, device=device)
    allowed = random.random(700) < 0.3
    found = index.search(queries, 5, filter=allowed)
    assert allowed[found.indices].all()
    numbers = np.flatnonzero(allowed)
    assert (numbers[oracle.nearest(queries, rows[allowed], 5, 'l2sq')[1]] == found.indices).mean() > 0.99
    each = random.random((23, 700)) < 0.3
    found = index.search(queries, 5, filter=each)
    assert np.take_along_axis(each, found.indices, 1).all()
    assert allowed[index.range_search(queries, 1.0, filter=allowed).indices].all()


def test_pages_joined_are_one_search(rows, queries, device):
    for metric in 'l2', 'cosine', 'ip':
        index = proxel.Index(rows, metric, device)
        whole, page, pages = index.search(queries, 30), None, []
        for _ in range(3):
            page = index.search(queries, 10, after=page)
            pages.append(page)
        for whole_array, arrays in zip(whole, zip(*pages)):
            assert whole_array.tobytes() == np.hstack(arrays).tobytes()


def test_parts_merged_are_one_search(rows, queries, device):
    for metric in 'l2', 'cosine', 'ip':
        parts = [
            (proxel.Index(rows[i : i + 250], metric, device).search(queries, 8, ordered=True), i) for i in (0, 250, 500)
        ]
        merged = proxel.merge(parts, 8)
        whole = proxel.Index(rows, metric, device).search(queries, 8)
        assert all(a.tobytes() == b.tobytes() for a, b in zip(merged, whole))
        two = proxel.merge(parts[:2], 8, finish=False)
        again = proxel.merge([(two, 0), parts[2]], 8)
        assert all(a.tobytes() == b.tobytes() for a, b in zip(again, whole))


def test_own_rows_and_graphs(rows, device):
    index = proxel.Index(rows, 'l2', device)
    own, given = index.search_rows(100, 50, 4), index.search(rows[100:150], 4)
    assert all(a.tobytes() == b.tobytes() for a, b in zip(own, given))
    graph = index.knn_graph(3)
    assert (graph.indices != np.arange(700)[:, None]).all()
    assert (index.knn_graph(3, include_self=True).indices[:, 0] == np.arange(700)).all()
    assert (graph.indices == index.knn_graph(4, include_self=True).indices[:, 1:]).all()


def test_components(device):
    rows = np.array([[0], [1], [2], [10], [11], [50]], np.float32)
    graph = proxel.Index(rows, 'l1', device).knn_graph(1)
    labels, total = proxel.components(graph, limit=5, device=device)
    assert labels.tolist() == [0, 0, 0, 3, 3, 5] and total == 3
    assert proxel.components(graph, device=device).total == 2
    assert proxel.components(graph, mutual=True, device=device).labels.tolist() == [0, 0, 2, 3, 3, 5]


def test_rows_come_and_go(rows, queries, device):
    index = proxel.Index(rows[:600], device=device)
    assert index.add(rows[600:]) == 600 and len(index) == 700
    found = index.search(queries, 3)
    assert all(a.tobytes() == b.tobytes() for a, b in zip(found, proxel.Index(rows, device=device).search(queries, 3)))
    gone = np.unique(found.indices[:, 0])
    assert index.remove(gone) == len(gone) and index.remove(gone) == 0
    assert len(index) == 700 - len(gone) and index.removed == len(gone)
    assert not np.isin(index.search(queries, 3).indices, gone).any()
    before = index.search(queries, 3).indices
    moved = index.compact()
    assert index.removed == 0 and (moved[gone] == -1).all()
    assert (np.delete(moved, gone) == np.arange(700 - len(gone))).all()
    assert (index.search(queries, 3).indices == moved[before]).all()


def test_slots_without_a_row_are_padded(device):
    index = proxel.Index(np.ones((2, 3), np.float32), device=device)
    distances, indices = index.search(np.zeros((1, 3), np.float32), 4)
    assert indices.tolist() == [[0, 1, -1, -1]] and distances.tolist() == [[3, 3, np.inf, np.inf]]
    assert index.search(np.zeros((1, 3), np.float32), 3, metric='ip').distances.tolist() == [[0, 0, -np.inf]]


def test_no_queries(rows, device):
    index = proxel.Index(rows, device=device)
    found = index.search(np.empty((0, 12), np.float32), 3)
    assert found.distances.shape == found.indices.shape == (0, 3)
    assert index.range_search(np.empty((0, 12), np.float32), 3).offsets.tolist() == [0]


@pytest.mark.parametrize('dtype', [np.float16, np.int8, np.uint8])
def test_narrow_rows_stay_narrow_and_are_searched_by_their_values(random, dtype, device):
    rows = random.integers(0, 100, (300, 8)).astype(dtype)
    narrow, wide = proxel.Index(rows, device=device), proxel.Index(rows.astype(np.float32), device=device)
    for queries in rows[:9], rows[:9].astype(np.float32):
        assert all(a.tobytes() == b.tobytes() for a, b in zip(narrow.search(queries, 5), wide.search(queries, 5)))
    with pytest.raises(proxel.UnsupportedError):
        narrow.add(rows)
    widened = proxel.Index(rows, device=device, storage='float32')
    assert widened.add(rows) == 300


def test_rows_that_do_not_fit_are_streamed_from_memory_that_the_index_keeps(random, device):
    rows = random.random((40000, 16), dtype=np.float32)
    queries = rows[:5].copy()
    expected = proxel.Index(rows, device=device).search(queries, 4)
    streamed = proxel.Index(rows.copy(), device=device, memory_limit=1 << 20)
    gc.collect()
    assert all(a.tobytes() == b.tobytes() for a, b in zip(streamed.search(queries, 4), expected))
    try:
        pinned = proxel.Index(rows.copy(), device=device, memory_limit=1 << 20, pinned=True)
    except proxel.UnsupportedError as refused:
        assert device.startswith('vulkan') and 'host memory' in str(refused)
    else:
        gc.collect()
        assert all(a.tobytes() == b.tobytes() for a, b in zip(pinned.search(queries, 4), expected))
    # Of rows that fit nothing is locked.
    assert all(a.tobytes() == b.tobytes() for a, b in
               zip(proxel.Index(rows, device=device, pinned=True).search(queries, 4), expected))


def test_reports_and_what_an_index_says_of_itself(rows, queries, device):
    index = proxel.Index(rows, 'l2', device, timing='passes')
    report = index.search(queries, 3, report=True).report
    assert report.method == index.method_for(23, 3) and report.total_milliseconds > 0 and report.passes
    assert report.method in str(report)
    assert (index.kind, index.size, index.dimensions, index.metric, index.method) == ('vectors', 700, 12, 'l2', 'auto')
    assert index.device.id == device and repr(index) == f'<proxel.Index of 700 x 12, l2 on {device}>'
    assert index.build_milliseconds > 0
    index.supports(3)
    with pytest.raises(proxel.UnsupportedError):
        proxel.Index(rows, device=device, method='komarov').supports(3, 'l1')
    index.close()
    assert repr(index) == '<proxel.Index, closed>'
    with pytest.raises(proxel.InvalidArgumentError, match='destroyed'):
        index.search(queries, 3)


def test_methods_answer_alike(rows, queries, device):
    expected = proxel.Index(rows, device='cpu:reference').search(queries, 5)
    for method in 'scan', 'fused', 'garcia-direct':
        found = proxel.Index(rows, device=device, method=method).search(queries, 5)
        assert all(a.tobytes() == b.tobytes() for a, b in zip(found, expected)), method
