"""What is taken as an array, and how little of it is copied."""
import sys

import numpy as np
import proxel
import pytest
from proxel import _arrays
from proxel._abi import ffi


@pytest.fixture
def rows(random):
    return random.random((60, 8), dtype=np.float32)


class Interface:
    """An array of another library, which numpy knows by its interface alone."""

    def __init__(self, array):
        self.array = array
        self.__array_interface__ = array.__array_interface__


class Capsule:
    """One that is known by DLPack alone."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, *, stream=None, **others):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def layouts(rows):
    wide = np.zeros((120, 17), np.float32)
    wide[::2, 1::2] = rows
    readonly = rows.copy()
    readonly.flags.writeable = False
    unaligned = np.frombuffer(b'\0' + rows.tobytes(), np.uint8)[1:].view(np.float32).reshape(rows.shape)
    record = np.zeros(60, [('a', 'u1'), ('x', 'f4', 8)])
    record['x'] = rows
    backwards = rows[::-1].copy()[::-1]
    return dict(
        plain=rows,
        column_major=np.asfortranarray(rows),
        strided=wide[::2, 1::2],
        readonly=readonly,
        unaligned=unaligned,
        record=record['x'],
        backwards=backwards,
        interface=Interface(rows),
        capsule=Capsule(rows),
        memoryview=memoryview(rows),
        mapped=rows.view(np.memmap) if False else rows,
        subclass=rows.view(np.recarray) if False else rows.view(type('Sub', (np.ndarray,), {})),
    )


@pytest.mark.parametrize('name', layouts(np.zeros((60, 8), np.float32)))
def test_every_layout_is_read_right(rows, name):
    given = layouts(rows)[name]
    expected = proxel.Index(rows, device='cpu').search(rows, 3)
    for found in (proxel.Index(given, device='cpu').search(rows, 3), proxel.Index(rows, device='cpu').search(given, 3)):
        assert all(a.tobytes() == b.tobytes() for a, b in zip(found, expected))


def test_what_repeats_or_overlaps_is_read_right(rows):
    windows = np.lib.stride_tricks.sliding_window_view(rows.ravel()[:64], 8)
    repeated = np.broadcast_to(rows[:1], (5, 8))
    for given in windows, repeated, repeated[:, :1], np.broadcast_to(np.float32(3), (4, 4)):
        found = proxel.Index(given, device='cpu').search(given, 4)
        expected = proxel.Index(given.copy(), device='cpu').search(given.copy(), 4)
        assert all(a.tobytes() == b.tobytes() for a, b in zip(found, expected))


@pytest.mark.parametrize('name', ['plain', 'column_major', 'strided', 'readonly', 'interface', 'capsule', 'memoryview'])
def test_these_are_not_copied(rows, name):
    given = layouts(rows)[name]
    struct, kept = _arrays.rows_struct(_arrays.matrix_of(given, 'rows', False))
    first = getattr(given, 'array', given)
    assert int(ffi.cast('uintptr_t', struct.data)) == np.asarray(first).__array_interface__['data'][0]


@pytest.mark.parametrize('dtype', ['float64', '>f4', 'int16', 'int32', 'uint32', 'int64', 'bool', 'longdouble'])
def test_other_types_are_refused_or_converted_as_the_caller_says(rows, dtype):
    given = (rows * 100).astype(dtype)
    with pytest.raises(TypeError, match='rows: .* was given; .*convert=True'):
        proxel.Index(given, device='cpu')
    index = proxel.Index(given, device='cpu', convert=True)
    expected = proxel.Index(given.astype(np.float32), device='cpu')
    found = index.search(given, 2), expected.search(given.astype(np.float32), 2)
    assert all(a.tobytes() == b.tobytes() for a, b in zip(*found))
    with pytest.raises(TypeError, match='queries: .* was given'):
        expected.search(given, 2)


def test_lists_are_converted_where_the_caller_says():
    with pytest.raises(TypeError):
        proxel.Index([[0, 1]], device='cpu')
    assert proxel.Index([[0, 1], [2.5, 1]], device='cpu', convert=True).search([[2, 1]], 1).indices.tolist() == [[1]]


def test_conversion_says_what_float32_has_not():
    with pytest.raises(ValueError, match='values that float32 has not'):
        proxel.Index([[1e300]], device='cpu', convert=True)
    assert len(proxel.Index([[np.inf], [np.nan]], device='cpu', convert=True)) == 2


@pytest.mark.parametrize(
    'given',
    [
        'text',
        b'bytes',
        None,
        3,
        3.0,
        object(),
        [],
        [[]],
        {},
        set(),
        np.float32(3),
        np.zeros(3, np.float32),
        np.zeros((2, 2, 2), np.float32),
        np.zeros((2, 2), complex),
        np.zeros((2, 2), object),
        np.zeros((2, 2), 'U3'),
        np.zeros((2, 2), 'M8[s]'),
        np.zeros((2, 2), [('a', 'f4')]),
        np.ma.masked_array(np.zeros((2, 2), np.float32)),
        [[1, 2], [3]],
        np.zeros((0, 4), np.float32),
        np.zeros((4, 0), np.float32),
        lambda: 3,
        np,
        iter([1, 2]),
    ],
    ids=lambda given: type(given).__name__,
)
def test_what_is_no_matrix_is_an_exception(given):
    with pytest.raises((TypeError, ValueError)) as raised:
        proxel.Index(given, device='cpu', convert=True)
    assert isinstance(raised.value, proxel.ProxelError) and str(raised.value).startswith(
        ('rows: ', 'database: ', 'dimensions: ')
    )


class Broken:
    """Says of itself what is not so."""

    def __init__(self, **interface):
        self.__array_interface__ = interface


@pytest.mark.parametrize(
    'interface',
    [
        dict(),
        dict(shape=(2, 2), typestr='<f4', version=3),
        dict(shape=(-2, 2), typestr='<f4', data=(4096, False), version=3),
        dict(shape=(2, 2), typestr='nonsense', data=(4096, False), version=3),
        dict(shape='x', typestr='<f4', data=(0, True), version=3),
    ],
)
def test_broken_interfaces_are_exceptions(interface):
    with pytest.raises((TypeError, ValueError)):
        proxel.Index(Broken(**interface), device='cpu')


class Raising:
    def __dlpack_device__(self):
        raise RuntimeError('no device today')

    def __dlpack__(self, **others):
        raise RuntimeError('no array today')


class Odd:
    def __init__(self, device, capsule):
        self.device, self.capsule = device, capsule

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **others):
        return self.capsule


@pytest.mark.parametrize(
    'given', [Raising(), Odd((1, 0), None), Odd((1, 0), 'x'), Odd('x', None), Odd(None, None), Odd((99, 0), None)]
)
def test_broken_dlpack_is_an_exception(given):
    with pytest.raises((TypeError, ValueError, NotImplementedError)):
        proxel.Index(given, device='cpu')


def test_arrays_are_let_go(rows):
    index = proxel.Index(rows, device='cpu')
    before = sys.getrefcount(rows)
    for _ in range(5):
        index.search(rows, 2)
        proxel.Index(rows, device='cpu')
    assert sys.getrefcount(rows) == before
    rows[:] = 0  # the index has a copy
    assert index.search(rows[:1], 1).distances[0, 0] > 0


def test_results_are_the_callers(rows):
    distances, indices = proxel.Index(rows, device='cpu').search(rows, 3)
    for array in distances, indices:
        assert array.flags.writeable and array.flags.c_contiguous and array.flags.owndata or array.base is not None
        array[:] = 7


def test_tensors_of_torch_on_the_host(rows):
    torch = pytest.importorskip('torch')
    tensor = torch.from_numpy(rows)
    index = proxel.Index(tensor, device='cpu')
    assert index.search(tensor[3:4], 1).indices.tolist() == [[3]]
    assert index.search(tensor.half(), 1).indices.shape == (60, 1)
    assert index.search(tensor.T.contiguous().T, 2).indices[:, 0].tolist() == list(range(60))
    allowed = torch.arange(60) % 2 == 1
    assert (index.search(tensor, 3, filter=allowed).indices % 2 == 1).all()
    for wrong in (tensor.double(), tensor.bfloat16(), tensor.to_sparse(), tensor.clone().requires_grad_()):
        with pytest.raises(TypeError):
            index.search(wrong, 1)
