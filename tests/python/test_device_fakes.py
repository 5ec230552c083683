"""Arrays on a device, on a device that is none: shapes, types, streams, plans, and whose memory is kept how long."""
import ctypes
import gc
import sys

import fake_cuda
import numpy as np
import proxel
import pytest
from fake_cuda import Interface, Tensor
from proxel import _dlpack


@pytest.fixture
def cuda(monkeypatch):
    return fake_cuda.install(monkeypatch)


@pytest.fixture
def rows(random):
    return random.random((500, 6), dtype=np.float32)


@pytest.fixture
def queries(random):
    return random.random((9, 6), dtype=np.float32)


def same(found, expected):
    return (
        found.distances.numpy().tobytes() == expected.distances.tobytes()
        and found.indices.numpy().tobytes() == expected.indices.tobytes()
    )


def test_an_index_is_searched_for_queries_on_its_device(cuda, rows, queries):
    index, expected = proxel.Index(rows, 'l2', cuda.device), proxel.Index(rows, 'l2', 'cpu')
    for given in Tensor(queries), Interface(queries):
        found = index.search(given, 5)
        assert same(found, expected.search(queries, 5)) and found.metric == 'l2'
        assert (found.distances.shape, found.indices.shape) == ((9, 5), (9, 5))
        assert (found.distances.dtype, found.indices.dtype) == (np.float32, np.int32)
    assert np.asarray(found.distances).tobytes() == expected.search(queries, 5).distances.tobytes()
    assert same(index.search(Tensor(queries), 5, metric='ip'), expected.search(queries, 5, metric='ip'))
    assert same(index.search(Tensor(queries), 5, ordered=True), expected.search(queries, 5, ordered=True))
    index.add(rows[:3] * 0)  # ends plans
    expected.add(rows[:3] * 0)
    assert same(index.search(Tensor(queries), 5), expected.search(queries, 5))
    index.remove([501])
    expected.remove([501])
    assert same(index.search(Tensor(queries), 5), expected.search(queries, 5))


def test_rows_are_searched_where_they_lie(cuda, rows, queries):
    there = proxel.DeviceRows(Tensor(rows), 'l1')
    expected = proxel.Index(rows, 'l1', 'cpu').search(queries, 5)
    assert same(there.search(Tensor(queries), 5), expected)
    on_host = there.search(queries, 5)
    assert all(a.tobytes() == b.tobytes() for a, b in zip(on_host, expected)) and on_host.metric == 'l1'
    assert (len(there), there.metric, there.device.id) == (500, 'l1', 'cuda:0')
    assert repr(there) == '<proxel.DeviceRows 500 x 6, l1 on cuda:0>'
    boxes = proxel.DeviceRows(Tensor(rows), 'l1', method='bvh')
    assert same(boxes.search(Tensor(queries), 5), expected)
    assert same(there.search(Tensor(queries), 502), proxel.Index(rows, 'l1', 'cpu').search(queries, 502))


def test_rows_may_be_a_part_of_a_wider_matrix(cuda, rows, queries):
    class Strided(Tensor):
        def __dlpack__(self, **others):
            capsule = super().__dlpack__(**others)
            managed = _dlpack._Managed.from_address(_dlpack._pointer_in(id(capsule), b'dltensor'))
            for i in range(2):
                managed.tensor.strides[i] = self.array.strides[i] // 4
            return capsule

    wide = np.ones((500, 11), np.float32)
    wide[:, 2:8] = rows
    there = proxel.DeviceRows(Strided(wide[:, 2:8]))
    assert same(there.search(Tensor(queries), 4), proxel.Index(rows, device='cpu').search(queries, 4))
    for wrong in wide[:, 2:8][:, ::2], np.broadcast_to(rows[:1], (4, 6)), rows.T:
        with pytest.raises(ValueError, match='make it contiguous'):
            proxel.DeviceRows(Strided(wrong))
    with pytest.raises(ValueError, match='make them contiguous'):
        there.search(Strided(wide[:9, 2:8]), 4)


def test_filters(cuda, rows, queries, random):
    allowed, each = random.random(500) < 0.2, random.random((9, 500)) < 0.2
    there, index = proxel.DeviceRows(Tensor(rows)), proxel.Index(rows, device=cuda.device)
    on_host = proxel.Index(rows, device='cpu')
    for mask in allowed, each:
        expected = on_host.search(queries, 5, filter=mask)
        assert same(there.search(Tensor(queries), 5, filter=mask), expected)
        assert same(index.search(Tensor(queries), 5, filter=mask), expected)
    for wrong in allowed[1:], each[1:], allowed.astype(int):
        with pytest.raises((TypeError, ValueError), match='filter'):
            there.search(Tensor(queries), 5, filter=wrong)


def test_results_are_written_where_the_caller_says(cuda, rows, queries):
    distances, indices = np.zeros((9, 5), np.float32), np.zeros((9, 5), np.int32)
    out = Tensor(distances), Tensor(indices)
    expected = proxel.Index(rows, device='cpu').search(queries, 5)
    found = proxel.DeviceRows(Tensor(rows)).search(Tensor(queries), 5, out=out)
    assert tuple(found) == out
    assert distances.tobytes() == expected.distances.tobytes() and (indices == expected.indices).all()
    index = proxel.Index(rows, device=cuda.device)
    readonly = Interface(distances)
    readonly.__cuda_array_interface__['data'] = (readonly.__cuda_array_interface__['data'][0], True)
    for wrong in (
        (),
        (out[0],),
        (out[1], out[0]),
        (Tensor(distances[:8]), out[1]),
        (Tensor(distances.astype(float)), out[1]),
        (readonly, out[1]),
        (Tensor(distances, 1), out[1]),
        (None, None),
        ('a', 'b'),
        3,
        (distances, indices),
    ):
        with pytest.raises((TypeError, ValueError)) as raised:
            index.search(Tensor(queries), 5, out=wrong)
        assert isinstance(raised.value, proxel.ProxelError)


def test_streams(cuda, rows, queries):
    index = proxel.Index(rows, device=cuda.device)

    class Torch:
        cuda_stream = 4096

    class Cupy:
        ptr = 4096

    class Protocol:
        def __cuda_stream__(self):
            return (0, 4096)

    for stream, handle in (
        (None, 1),
        (0, 1),
        (1, 1),
        (Torch(), 4096),
        (Cupy(), 4096),
        (Protocol(), 4096),
        (4096, 4096),
    ):
        given = Tensor(queries)
        found = index.search(given, 3, stream=stream)
        assert given.streams == [handle] and found.distances.stream == found.indices.stream == handle
        assert not cuda.waits and not cuda.follows  # nobody waited
        found.distances.numpy()
        assert cuda.waits.pop() == handle
        found.indices.__dlpack__(stream=handle)
        found.indices.__dlpack__(stream=-1)
        assert not cuda.follows
        found.indices.__dlpack__(stream=77)
        assert cuda.follows.pop() == (77, handle)
        found.indices.__dlpack__()
        assert (cuda.follows.pop() == (1, handle)) if handle != 1 else not cuda.follows
    index.search(Interface(queries, stream=55), 3, stream=4096)
    assert cuda.follows.pop() == (4096, 55)
    for wrong in 'x', 1.5, True, -1, 1 << 64, object():
        with pytest.raises((TypeError, ValueError), match='stream'):
            index.search(Tensor(queries), 3, stream=wrong)
    with pytest.raises(ValueError, match='stream'):
        index.search(queries, 3, stream=4096)
    with pytest.raises(ValueError, match='out'):
        index.search(queries, 3, out=(1, 2))


def test_rows_are_copied_to_an_index(cuda, rows, queries):
    index = proxel.Index(Tensor(rows))
    assert index.device is cuda.device
    assert (
        index.search(queries, 3).indices.tolist()
        == proxel.Index(rows, device='cpu').search(queries, 3).indices.tolist()
    )


@pytest.mark.parametrize(
    'wrong',
    [
        Tensor(np.zeros((3, 6))),
        Tensor(np.zeros((3, 6), np.int32)),
        Tensor(np.zeros(6, np.float32)),
        Tensor(np.zeros((3, 5), np.float32)),
        Tensor(np.zeros((3, 6), np.float32), 1),
        Tensor(np.zeros((2, 3, 6), np.float32)),
        Interface(np.zeros((3, 6))),
        Interface(np.zeros((3, 6), np.float32), mask=1),
        Interface(np.zeros((3, 6), 'U1')),
        Interface(np.zeros((6, 3), np.float32).T),
    ],
)
def test_what_is_refused(cuda, rows, wrong):
    with pytest.raises((TypeError, ValueError, LookupError)):
        proxel.Index(rows, device=cuda.device).search(wrong, 2)
    with pytest.raises((TypeError, ValueError, LookupError)):
        proxel.DeviceRows(Tensor(rows)).search(wrong, 2)


class Broken:
    def __init__(self, capsule, device=(2, 0)):
        self.capsule, self.device = capsule, device

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **others):
        if isinstance(self.capsule, Exception):
            raise self.capsule
        return self.capsule


def test_broken_arrays_are_exceptions(cuda, rows):
    index = proxel.Index(rows, device=cuda.device)
    for wrong in (
        Broken(None),
        Broken('x'),
        Broken(RuntimeError('gradients')),
        Broken(rows.__dlpack__()),
        Broken(3, (2, 'x')),
        Broken(object(), (13, 0)),
    ):
        with pytest.raises(TypeError) as raised:
            index.search(wrong, 2)
        assert isinstance(raised.value, proxel.ProxelError)

    class Lying:
        pass

    for interface in (
        dict(),
        3,
        dict(typestr='<f4'),
        dict(typestr='<f4', data=(0, False), shape=(2, 6)),
        dict(typestr='<f4', data='x', shape=(2, 6)),
        dict(typestr='<f4', data=(64, False), shape=(-2, 6)),
        dict(typestr='<f4', data=(66, False), shape=(2, 6)),
        dict(typestr='<f4', data=(64, False), shape=(1 << 40, 1 << 40)),
        dict(typestr='<f4', data=(64, False), shape=(2, 6), strides=(3, 1)),
    ):
        lying = Lying()
        lying.__cuda_array_interface__ = interface
        with pytest.raises((TypeError, ValueError)) as raised:
            index.search(lying, 2)
        assert isinstance(raised.value, proxel.ProxelError)
    for k in 0, -1, 1 << 32, 'x':
        with pytest.raises((TypeError, ValueError), match='k: '):
            index.search(Tensor(rows), k)
    for others in dict(raw=True), dict(report=True), dict(progress=True), dict(after=index.search(rows, 1)):
        with pytest.raises(NotImplementedError):
            index.search(Tensor(rows), 2, **others)
    for call in (
        lambda: index.range_search(Tensor(rows), 1),
        lambda: proxel.DeviceRows(rows),
        lambda: index.add(Tensor(rows)),
        lambda: proxel.DeviceRows(Tensor(rows[:0])),
    ):
        with pytest.raises((TypeError, ValueError)):
            call()


def test_no_queries(cuda, rows):
    found = proxel.Index(rows, device=cuda.device).search(Tensor(rows[:0]), 3)
    assert found.distances.shape == (0, 3) and found.indices.numpy().shape == (0, 3)


def test_plans_are_kept_and_let_go(cuda, rows):
    index = proxel.Index(rows, device=cuda.device)
    for count in range(1, 30):
        index.search(Tensor(rows[:count]), 2)
    assert len(index._planner._plans) == 8
    index.remove([1])
    assert not index._planner._plans


def test_memory_is_kept_as_long_as_it_is_used(cuda, rows, queries):
    index = proxel.Index(rows, device=cuda.device)
    gc.collect()
    given = len(_dlpack._given)
    array = queries.copy()
    before = sys.getrefcount(array)
    found = index.search(Tensor(array), 3)
    gc.collect()
    assert sys.getrefcount(array) == before and len(_dlpack._given) == given
    capsule = found.indices.__dlpack__()
    expected = found.indices.numpy()
    described = _dlpack.describe(capsule)
    assert (
        described.shape == (9, 3)
        and described.dtype == 'int32'
        and (described.device_type, described.device_id) == (2, 0)
    )
    del found
    gc.collect()
    memory = (ctypes.c_int32 * 27).from_address(described.address)  # of the processor, which is the device here
    assert list(memory) == expected.ravel().tolist()
    assert len(_dlpack._given) == given + 1
    del capsule
    assert len(_dlpack._given) == given


def test_capsules_that_are_taken_are_freed_by_who_took_them(cuda, rows, queries):
    found = proxel.Index(rows, device=cuda.device).search(Tensor(queries), 3)
    gc.collect()
    given = len(_dlpack._given)
    capsule = found.distances.__dlpack__()
    set_name = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_char_p)(
        ('PyCapsule_SetName', ctypes.pythonapi)
    )
    address = _dlpack._pointer_in(id(capsule), b'dltensor')
    assert set_name(capsule, b'used_dltensor') == 0
    del capsule
    assert len(_dlpack._given) == given + 1
    managed = _dlpack._Managed.from_address(address)
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(managed.deleter)(address)
    assert len(_dlpack._given) == given


def test_capsules_of_numpy_are_read(rows):
    for array in rows, rows[::2, 1:4], rows[3:4]:
        found = _dlpack.describe(array.__dlpack__())
        assert (found.address, found.shape, found.dtype) == (
            array.__array_interface__['data'][0],
            array.shape,
            'float32',
        )
        assert (
            found.strides is None or array.shape[0] == 1 or found.strides == tuple(step // 4 for step in array.strides)
        )


def test_without_cuda_it_says_so(rows):
    if any(device.backend == 'cuda' for device in proxel.devices()):
        pytest.skip('there is CUDA')
    with pytest.raises(proxel.ProxelError):
        proxel.DeviceRows(Tensor(rows))
    with pytest.raises(proxel.ProxelError):
        proxel.Index(Tensor(rows))
    with pytest.raises(ValueError, match='lie on cuda:0, the index on cpu'):
        proxel.Index(rows, device='cpu').search(Tensor(rows), 3)
