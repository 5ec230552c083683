"""Whatever is given, what comes back is an exception of proxel's."""
import numpy as np
import proxel
import pytest

rows = np.arange(80, dtype=np.float32).reshape(20, 4)
numbers = [
    0,
    -1,
    1.5,
    '3',
    None,
    [],
    2**32,
    2**63,
    2**64,
    2**70,
    -(2**63),
    float('nan'),
    float('inf'),
    np.array([1, 2]),
    object(),
    b'1',
    1j,
    np.float32(2),
    {},
]


def refused(call):
    """Whether this is an exception of proxel's; anything else but an answer fails the test."""
    try:
        call()
    except proxel.ProxelError as error:
        assert isinstance(error, (TypeError, ValueError, NotImplementedError, MemoryError, LookupError)), error
        assert str(error) and '\n' not in str(error)
        return True
    return False


@pytest.mark.parametrize('number', numbers, ids=repr)
def test_numbers(number, device):
    index = proxel.Index(rows, device=device)
    assert refused(lambda: index.search(rows, number))
    assert refused(lambda: index.knn_graph(number))
    assert refused(lambda: index.supports(number))
    # 0 is a number of rows and a default.
    for call in (
        lambda: index.search_rows(number, number, 1),
        lambda: index.remove(number),
        lambda: index.remove([number]),
        lambda: index.method_for(number, 1),
        lambda: proxel.Index(rows, device=device, scratch_limit=number),
        lambda: proxel.Index(rows, device=device, memory_limit=number),
    ):
        refused(call)
    assert index.search(rows, 1).indices.shape == (20, 1)


@pytest.mark.parametrize(
    'radius', ['1', None, [], float('nan'), 1j, object(), b'1', np.array([1, 2]), 10**400], ids=repr
)
def test_radii(radius, device):
    assert refused(lambda: proxel.Index(rows, device=device).range_search(rows, radius))


def test_infinite_radii_are_radii(device):
    index = proxel.Index(rows, device=device)
    assert len(index.range_search(rows, float('inf')).indices) == 400
    assert len(index.range_search(rows, -float('inf')).indices) == 0
    assert len(index.range_search(rows, 1e300).indices) == 400


@pytest.mark.parametrize(
    'named', ['', 'l3', 'l2sq\0', 'é' * 100000, '\ud800', 3, None, b'l2', [], object()], ids=lambda n: repr(n)[:20]
)
def test_names(named, device):
    index = proxel.Index(rows, device=device)
    if named is not None:
        assert refused(lambda: index.search(rows, 1, metric=named))
        assert refused(lambda: proxel.Index(rows, device=device, storage=named))
        assert refused(lambda: proxel.Index(rows, named, device))
    for option in 'method', 'timing':
        assert named is None or refused(lambda: proxel.Index(rows, device=device, **{option: named}))
    assert refused(lambda: proxel.Index(rows, device=named))
    assert refused(lambda: proxel.Device(named))


@pytest.mark.parametrize(
    'wrong',
    [
        np.zeros(19, bool),
        np.zeros(21, bool),
        np.zeros((2, 20), bool),
        np.zeros((20, 20, 1), bool),
        np.zeros(20, np.uint8),
        'x',
        None,
        np.bool_(True),
        [],
        [True] * 20,
        np.zeros((0, 20), bool),
    ],
    ids=lambda wrong: f'{type(wrong).__name__}{np.shape(wrong)}',
)
def test_filters(wrong, device):
    index = proxel.Index(rows, device=device)
    fine = wrong is None or np.shape(wrong) == (20,) and np.asarray(wrong).dtype == bool
    assert refused(lambda: index.search(rows, 1, filter=wrong)) is not fine


@pytest.mark.parametrize(
    'page',
    [
        'x',
        3,
        (1, 2),
        proxel.Neighbors(1, 2),
        proxel.Neighbors('a', 'b'),
        proxel.Neighbors(np.zeros((3, 1)), np.zeros((3, 2))),
        proxel.Neighbors(np.zeros((3, 1)), np.zeros((3, 1), int)),
        proxel.Neighbors(np.zeros((3, 1), np.float32), np.zeros((3, 1), int)),
        proxel.Neighbors(None, None),
    ],
    ids=lambda page: type(page).__name__,
)
def test_pages(page, device):
    index = proxel.Index(rows, device=device)
    assert refused(lambda: index.search(rows, 1, after=page))
    fine = isinstance(page, proxel.Neighbors) and np.asarray(page.distances).dtype == np.float32
    assert refused(lambda: proxel.merge([(page, 0)], 1)) is not fine
    assert refused(lambda: proxel.merge(page, 1))
    if not isinstance(page, proxel.Neighbors):
        assert refused(lambda: proxel.components(page))


@pytest.mark.parametrize('columns', [1, 1000000, 2**24 + 1])
def test_many_columns(columns):
    wide = np.ones((2, columns), np.float32)
    if columns > 2**24:
        assert refused(lambda: proxel.Index(wide, device='cpu'))
    else:
        index = proxel.Index(wide, device='cpu')
        assert index.search(wide[:1], 2).distances.tolist() == [[0, 0]]
        assert refused(lambda: index.search(wide[:, 1:], 1))


def test_enormous_shapes_do_not_take_memory():
    huge = np.broadcast_to(np.float32(1), (1 << 40, 1 << 20))
    with pytest.raises(MemoryError):
        proxel.Index(huge, device='cpu')
    assert refused(lambda: proxel.Index(rows, device='cpu').search(rows, 2**32 - 1))


def test_values_that_are_no_numbers(device):
    index = proxel.Index(np.array([[np.nan], [np.inf], [-np.inf], [0], [1e38]], np.float32), device=device)
    distances, indices = index.search(np.array([[0], [np.nan], [np.inf]], np.float32), 5)
    assert indices[0].tolist() == [3, 1, 2, 4, 0] and np.isnan(distances[0, 4])
    assert np.isnan(distances[1]).all() and indices[1].tolist() == [0, 1, 2, 3, 4]


def test_numbers_of_rows_that_are_not_there(device):
    index = proxel.Index(rows, device=device)
    for wrong in ([20], [0, 5, 2**32 - 1], [-1], np.array([[1]]), ['a'], [1.0]):
        assert refused(lambda: index.remove(wrong))
    assert len(index) == 20 and index.remove([]) == 0 and index.remove(np.array([3], np.int8)) == 1


def test_progress_that_is_none():
    index = proxel.Index(rows, device='cpu')
    for wrong in 3, 'x', object():
        with pytest.raises(TypeError):
            index.search(rows, 1, progress=wrong)
    assert index.search(rows, 1).indices.shape == (20, 1)


def test_objects_that_were_closed(device):
    index = proxel.Index(rows, device=device)
    index.close()
    index.close()
    for call in (
        lambda: index.search(rows, 1),
        lambda: index.knn_graph(1),
        lambda: index.add(rows),
        lambda: len(index),
        lambda: index.remove([1]),
        lambda: index.compact(),
        lambda: index.range_search(rows, 1),
        lambda: index.kind,
    ):
        assert refused(call)


def test_devices_that_are_not_there():
    for wrong in 'cpu:7', 'vulkan:99', 'cuda:99', 'abacus', 'vulkan:-1', 'cpu:' * 1000:
        with pytest.raises((LookupError, ValueError, NotImplementedError)) as raised:
            proxel.Index(rows, device=wrong)
        assert isinstance(raised.value, proxel.ProxelError)
