"""Arrays of PyTorch, CuPy and JAX on a CUDA device."""
import gc

import numpy as np
import proxel
import pytest

usable = [device.id for device in proxel.devices() if device.backend == 'cuda' and device.unusable is None]
pytestmark = pytest.mark.skipif(not usable, reason='no usable cuda device')


class Torch:
    name = 'torch'

    def __init__(self):
        self.library = pytest.importorskip('torch')
        if not self.library.cuda.is_available():
            pytest.skip('PyTorch sees no CUDA device')

    def put(self, array):
        return self.library.from_numpy(array).cuda()

    def take(self, array):
        return self.library.from_dlpack(array)

    def get(self, array):
        return array.cpu().numpy()

    def stream(self):
        return self.library.cuda.Stream()

    def on(self, stream):
        return self.library.cuda.stream(stream)


class Cupy:
    name = 'cupy'

    def __init__(self):
        self.library = pytest.importorskip('cupy')

    def put(self, array):
        return self.library.asarray(array)

    def take(self, array):
        return self.library.from_dlpack(array)

    def get(self, array):
        return self.library.asnumpy(array)

    def stream(self):
        return self.library.cuda.Stream(non_blocking=True)

    def on(self, stream):
        return stream


class Jax:
    name = 'jax'

    def __init__(self):
        self.library = pytest.importorskip('jax')
        if self.library.default_backend() != 'gpu':
            pytest.skip('JAX sees no CUDA device')

    def put(self, array):
        return self.library.device_put(array)

    def take(self, array):
        return self.library.dlpack.from_dlpack(array)

    def get(self, array):
        return np.asarray(array)


@pytest.fixture(params=[Torch, Cupy, Jax], ids=lambda one: one.name)
def library(request):
    return request.param()


@pytest.fixture(params=[Torch, Cupy], ids=lambda one: one.name)
def streaming(request):
    return request.param()


@pytest.fixture
def rows(random):
    return random.random((30000, 32), dtype=np.float32)


@pytest.fixture
def queries(random):
    return random.random((333, 32), dtype=np.float32)


def same(library, found, expected):
    """Whether arrays on the device have the bits of those on the host, by the library's own copy and by proxel's."""
    distances, indices = library.get(library.take(found.distances)), library.get(library.take(found.indices))
    return (
        distances.tobytes() == expected.distances.tobytes() == found.distances.numpy().tobytes()
        and (indices == expected.indices).all()
        and (found.indices.numpy() == expected.indices).all()
    )


@pytest.mark.parametrize('metric', proxel.metrics())
def test_queries_on_the_device(library, rows, queries, metric):
    index = proxel.Index(rows, metric, usable[0])
    expected = proxel.Index(rows, metric, 'cpu').search(queries, 10)
    asked = library.put(queries)
    assert same(library, index.search(asked, 10), expected)
    assert same(library, index.search(asked, 10), expected)  # by the plan of before
    assert same(
        library, index.search(library.put(queries[:1]), 10), proxel.Index(rows, metric, 'cpu').search(queries[:1], 10)
    )


@pytest.mark.parametrize('metric', ['l2sq', 'l1', 'l2', 'linf', 'ip'])
def test_rows_on_the_device(library, rows, queries, metric):
    there = proxel.DeviceRows(library.put(rows), metric)
    expected = proxel.Index(rows, metric, 'cpu').search(queries, 10)
    assert same(library, there.search(library.put(queries), 10), expected)
    on_host = there.search(queries, 10)
    assert all(a.tobytes() == b.tobytes() for a, b in zip(on_host, expected))


def test_boxes_over_rows_on_the_device(library, random):
    rows, queries = random.random((20000, 3), dtype=np.float32), random.random((500, 3), dtype=np.float32)
    there = proxel.DeviceRows(library.put(rows), 'l2', method='bvh')
    assert same(library, there.search(library.put(queries), 6), proxel.Index(rows, 'l2', 'cpu').search(queries, 6))


def test_an_index_of_rows_on_the_device(library, rows, queries):
    index = proxel.Index(library.put(rows))
    assert index.device.id == usable[0]
    expected = proxel.Index(rows, device='cpu').search(queries, 4)
    assert all(a.tobytes() == b.tobytes() for a, b in zip(index.search(queries, 4), expected))


def test_parts_that_begin_anywhere(library, rows, queries):
    """Slices begin at addresses that are no multiples of what kernels load at a time."""
    odd = np.ascontiguousarray(rows[:, :7])
    there, asked = library.put(odd), library.put(np.ascontiguousarray(queries[:, :7]))
    expected = proxel.Index(odd[1:], 'l1', 'cpu').search(queries[3:, :7], 5)
    assert same(library, proxel.DeviceRows(there[1:], 'l1').search(asked[3:], 5), expected)
    assert same(library, proxel.Index(odd[1:], 'l1', usable[0]).search(asked[3:], 5), expected)


def test_filters(library, rows, queries, random):
    allowed, each = random.random(30000) < 0.1, random.random((333, 30000)) < 0.1
    index, there = proxel.Index(rows, device=usable[0]), proxel.DeviceRows(library.put(rows))
    for mask in allowed, each:
        expected = proxel.Index(rows, device='cpu').search(queries, 5, filter=mask)
        assert same(library, index.search(library.put(queries), 5, filter=mask), expected)
        assert same(library, there.search(library.put(queries), 5, filter=mask), expected)


def test_rows_come_and_go(library, rows, queries):
    index, on_host = (proxel.Index(rows[:29000], device=device) for device in (usable[0], 'cpu'))
    asked = library.put(queries)
    for change in (
        lambda one: one.add(rows[29000:]),
        lambda one: one.remove(np.arange(0, 30000, 7)),
        lambda one: one.compact(),
    ):
        assert same(library, index.search(asked, 5), on_host.search(queries, 5))
        change(index)
        change(on_host)
    assert same(library, index.search(asked, 5), on_host.search(queries, 5))


def test_rows_that_change_are_found_as_they_are(streaming, rows, queries):
    there = streaming.put(rows)
    searched, asked = proxel.DeviceRows(there), streaming.put(queries)
    for factor in 1, 0.5, 2:
        there *= factor
        rows *= np.float32(factor)
        assert same(streaming, searched.search(asked, 5), proxel.Index(rows, device='cpu').search(queries, 5))


def test_results_go_where_the_caller_says(streaming, rows, queries):
    index = proxel.Index(rows, device=usable[0])
    out = streaming.put(np.zeros((333, 5), np.float32)), streaming.put(np.zeros((333, 5), np.int32))
    found = index.search(streaming.put(queries), 5, out=out)
    expected = proxel.Index(rows, device='cpu').search(queries, 5)
    assert found.distances is out[0] and found.indices is out[1]
    assert (
        streaming.get(out[0]).tobytes() == expected.distances.tobytes()
        and (streaming.get(out[1]) == expected.indices).all()
    )


def test_streams_of_the_callers(streaming, rows, queries):
    """What is written to a stream just before is what is searched, and what is found is what is read just after."""
    index, expected = proxel.Index(rows, device=usable[0]), proxel.Index(rows, device='cpu').search(queries, 5)
    stream = streaming.stream()
    with streaming.on(stream):
        big = streaming.put(np.ones((4096, 4096), np.float32))
        asked = streaming.put(np.zeros_like(queries))
        for _ in range(20):
            big = big @ big / 4096  # keeps the stream busy
        asked += streaming.put(queries)
        found = index.search(asked, 5, stream=stream)
        distances, indices = streaming.take(found.distances) + 0, streaming.take(found.indices) + 0
    assert found.distances.stream == (getattr(stream, 'cuda_stream', None) or stream.ptr)
    if hasattr(stream, 'synchronize'):
        stream.synchronize()
    assert streaming.get(distances).tobytes() == expected.distances.tobytes()
    assert (streaming.get(indices) == expected.indices).all()
    # Read on the default stream, which waits for the other one.
    found = index.search(asked, 5, stream=stream)
    assert same(streaming, found, expected)


def test_what_is_refused(library, rows, queries):
    index = proxel.Index(rows, device=usable[0])
    for wrong in queries.astype(np.float16), queries.astype(np.int32), queries[0], queries[:, :5], queries[:, :, None]:
        with pytest.raises((TypeError, ValueError)) as raised:
            index.search(library.put(np.ascontiguousarray(wrong)), 3)
        assert isinstance(raised.value, proxel.ProxelError)
    with pytest.raises(ValueError):
        proxel.Index(rows, device='cpu').search(library.put(queries), 3)
    for call in (lambda: index.range_search(library.put(queries), 1), lambda: index.add(library.put(queries))):
        with pytest.raises(TypeError, match='lies on'):
            call()


def test_strides_and_gradients_of_torch(rows, queries):
    torch = Torch()
    index = proxel.Index(rows, device=usable[0])
    there = torch.put(queries)
    for wrong in there.T, there[:, ::2], there[::2], there.expand(2, 333, 32)[:, 0]:
        if wrong.shape[1] == 32 and wrong.is_contiguous():
            continue
        with pytest.raises((TypeError, ValueError)):
            index.search(wrong, 3)
    with pytest.raises(TypeError):
        index.search(there.clone().requires_grad_(), 3)
    wide = torch.put(np.hstack([rows, rows]))
    expected = proxel.Index(rows, device='cpu').search(queries, 3)
    assert same(torch, proxel.DeviceRows(wide[:, 32:]).search(there, 3), expected)


def test_memory_outlives_who_made_it(library, rows, queries):
    there = proxel.DeviceRows(library.put(rows))
    found = there.search(library.put(queries), 5)
    taken = library.take(found.distances), library.take(found.indices)
    expected = proxel.Index(rows, device='cpu').search(queries, 5)
    del found, there
    gc.collect()
    if library.name == 'torch':
        library.library.cuda.empty_cache()
    junk = [library.put(np.full((333, 5), 7, np.float32)) for _ in range(50)]
    assert library.get(taken[0]).tobytes() == expected.distances.tobytes()
    assert (library.get(taken[1]) == expected.indices).all()
    del junk


def test_memory_that_was_freed_is_an_exception(rows):
    """An address that CUDA gave back. Libraries that keep what is freed for themselves do not tell."""
    cupy = pytest.importorskip('cupy')
    memory = cupy.cuda.runtime.malloc(1 << 26)

    class Freed:
        __cuda_array_interface__ = dict(shape=(100, 32), typestr='<f4', data=(memory, False), version=3)

    cupy.cuda.runtime.free(memory)
    with pytest.raises(ValueError):
        proxel.Index(rows, device=usable[0]).search(Freed(), 3)


def test_memory_is_let_go(library, rows, queries):
    index, asked = proxel.Index(rows, device=usable[0]), library.put(queries)
    for _ in range(20):
        library.take(index.search(asked, 50).distances)
    gc.collect()
    before = free_memory()
    for _ in range(300):
        library.take(index.search(asked, 50).distances)
    gc.collect()
    assert before - free_memory() < 4 << 20


def free_memory():
    torch = pytest.importorskip('torch')
    torch.cuda.synchronize()
    return torch.cuda.mem_get_info()[0]
