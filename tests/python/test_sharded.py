"""An index over several devices answers as one does."""
import numpy as np
import proxel
import pytest

several = ["cpu", "cpu:reference"]


def made(rows, columns, seed):
    return np.random.default_rng(seed).integers(0, 4, (rows, columns)).astype(np.float32)


@pytest.fixture(params=["rows", "queries"])
def pair(request):
    rows = made(700, 3, 1)
    return (
        proxel.Index(rows, "l2", device="cpu"),
        proxel.ShardedIndex(rows, "l2", several, divide=request.param, shares=[2, 1]),
        made(9, 3, 2),
    )


def same(one, other):
    return all((np.asarray(a) == np.asarray(b)).all() for a, b in zip(one, other))


def test_answers_are_those_of_one(pair):
    one, many, queries = pair
    for k in (1, 40, 800):
        assert same(many.search(queries, k), one.search(queries, k))
    page = one.search(queries, 5)
    assert same(many.search(queries, 5, after=page), one.search(queries, 5, after=page))
    chosen = np.arange(700) % 3 == 0
    assert same(many.search(queries, 5, filter=chosen), one.search(queries, 5, filter=chosen))
    assert same(many.range_search(queries, 1.5), one.range_search(queries, 1.5))
    assert same(many.knn_graph(4), one.knn_graph(4))
    assert same(many.search_rows(100, 50, 4), one.search_rows(100, 50, 4))


def test_rows_come_and_go(pair):
    one, many, queries = pair
    assert many.add(queries) == one.add(queries) == 700
    gone = [0, 3, 300, 699, 705]
    assert many.remove(gone) == one.remove(gone) == 5
    assert same(many.search(queries, 9), one.search(queries, 9))
    assert (many.compact() == one.compact()).all()
    assert same(many.search(queries, 9), one.search(queries, 9))


def test_what_each_has(pair):
    one, many, queries = pair
    assert many.kind == "sharded-vectors" and one.kind == "vectors"
    assert [shard.device for shard in many.shards] == several == [device.id for device in many.devices]
    assert sum(shard.share for shard in many.shards) == pytest.approx(1)
    rows = [shard.rows for shard in many.shards]
    assert rows in ([512, 188], [700, 700]) or sum(rows) == 700
    assert "cpu:reference" in repr(many)
    assert many.search(queries, 3, report=True).report is not None


def test_every_usable_device_takes_part():
    ids = [info.id for info in proxel.devices() if info.unusable is None]
    rows = made(1000, 8, 3)
    assert same(
        proxel.ShardedIndex(rows, devices=ids).search(rows[:20], 7),
        proxel.Index(rows, device="cpu").search(rows[:20], 7),
    )


@pytest.mark.parametrize(
    "arguments",
    [
        dict(devices=[]),
        dict(devices=["cpu"] * 65),
        dict(devices=several, shares=[1]),
        dict(devices=several, shares=[0, 0]),
        dict(devices=several, shares=[1, float("nan")]),
        dict(devices=several, divide="columns"),
    ],
)
def test_wrong_values_are_refused(arguments):
    with pytest.raises(ValueError):
        proxel.ShardedIndex(made(10, 2, 1), **arguments)


def test_an_index_that_was_saved_is_loaded(tmp_path):
    rows, queries = made(700, 3, 1), made(9, 3, 2)
    one = proxel.Index(rows, "l2", device="cpu")
    one.remove([5, 600])
    one.save(tmp_path / "saved")
    for more in (dict(), dict(shares=[2, 1]), dict(divide="queries"), dict(shares=[1, 1], memory_limit=3072)):
        many = proxel.ShardedIndex.load(tmp_path / "saved", "l2", several, **more)
        assert (many.size, many.removed, many.metric) == (698, 2, "l2")
        assert same(many.search(queries, 40), one.search(queries, 40))
        if "memory_limit" in more:
            with pytest.raises((proxel.OutOfMemoryError, NotImplementedError), match="memory limit|stream"):
                many.add(queries)
            assert same(many.search(queries, 40), one.search(queries, 40))
        else:
            assert many.add(queries) == 700
    with pytest.raises(FileNotFoundError):
        proxel.ShardedIndex.load(tmp_path / "none", devices=several)


def test_wrong_types_are_refused():
    for arguments in (dict(devices="cpu"), dict(devices=3), dict(devices=several, shares=["x", 1])):
        with pytest.raises(TypeError):
            proxel.ShardedIndex(made(10, 2, 1), **arguments)
    with pytest.raises(NotImplementedError):
        proxel.ShardedIndex(made(10, 2, 1), devices=several).save("nowhere.index")
    with pytest.raises(NotImplementedError):
        proxel.ShardedPermutationIndex.load('nowhere.index')


def test_an_interrupted_add_is_whole_or_not_at_all(pair):
    one, many, queries = pair
    for last in (0, len(queries)):

        def end(done, total):
            if done >= last:
                raise KeyError('enough')

        with pytest.raises(KeyError):
            many.add(queries, progress=end)
        while len(one) < len(many):
            one.add(queries)
        assert len(one) == len(many)
        assert same(many.search(queries, 9), one.search(queries, 9))


def test_pages_of_numbers_that_are_none_are_refused(pair):
    one, many, queries = pair
    for index in pair[:2]:
        for wrong in (2**32 + 5, -5):
            page = proxel.Neighbors(np.zeros((1, 1), np.float32), np.array([[wrong]]))
            with pytest.raises(ValueError, match='after'):
                index.search(queries[:1], 3, after=page)


words = [a + b + c for a in 'abc' for b in ('', 'x', 'yy') for c in 'abdé']


def pictures(count, seed):
    random = np.random.default_rng(seed)
    lengths = random.integers(1, 9, count)
    return [(random.random((n, 2), np.float32), random.random(n, np.float32)) for n in lengths]


@pytest.mark.parametrize('divide', ['rows', 'queries'])
def test_strings_are_those_of_one(divide):
    one = proxel.StringIndex(words, device='cpu')
    many = proxel.ShardedStringIndex(words, devices=several, divide=divide, shares=[1, 2])
    asked = ['xa', 'byd', '', 'cccc']
    for k in (1, 4, 50):
        assert same(many.search(asked, k), one.search(asked, k))
    assert same(many.range_search(asked, 2), one.range_search(asked, 2))
    assert many.add(asked) == one.add(asked) == len(words)
    assert many.remove([0, 0, 37]) == one.remove([0, 0, 37]) == 2
    assert same(many.search(asked, 9), one.search(asked, 9))
    assert many.text(38) == one.text(38) == ''
    assert len(many) == len(one) and many.units == 'code-points' and many.kind == 'sharded-strings'
    with pytest.raises(ValueError):
        many.text(37)
    assert [shard.device for shard in many.shards] == several == [device.id for device in many.devices]
    assert 'cpu:reference' in repr(many)


@pytest.mark.parametrize('divide', ['rows', 'queries'])
def test_signatures_are_those_of_one(divide):
    told = []
    one = proxel.SignatureIndex(pictures(70, 1), 'cpu')
    many = proxel.ShardedSignatureIndex(
        pictures(70, 1), several, divide=divide, shares=[5, 2], progress=lambda done, total: told.append(done)
    )
    asked = pictures(5, 2)
    assert told[-1] == 70
    assert same(many.search(asked, 7), one.search(asked, 7))
    assert same(many.range_search(asked, 0.4), one.range_search(asked, 0.4))
    assert (many.distances(asked) == one.distances(asked)).all()
    assert many.kind == 'sharded-signatures' and many.dimensions == 2
    assert sum(shard.share for shard in many.shards) == pytest.approx(1)


def test_permutations_are_those_of_one():
    rows, asked = made(300, 3, 1), made(7, 3, 2)
    for objects, queries in ((rows, asked), (words, ['xa', 'byd']), (pictures(60, 1), pictures(3, 2))):
        one = proxel.PermutationIndex(objects, device='cpu', permutants=6)
        many = proxel.ShardedPermutationIndex(objects, devices=several, permutants=6, shares=[1, 1])
        assert same(many.search(queries, 5, fraction=0.3), one.search(queries, 5, fraction=0.3))
        assert same(many.range_search(queries, 1, fraction=0.3), one.range_search(queries, 1, fraction=0.3))
        assert many.choose_fraction(0.9, 3, queries) == one.choose_fraction(0.9, 3, queries)
        assert (many.permutants == one.permutants).all() and many.candidates(3, 0.2) == one.candidates(3, 0.2)
        with pytest.raises(NotImplementedError, match='candidates'):
            proxel.ShardedPermutationIndex(objects, devices=several, divide='rows')
    with pytest.raises(NotImplementedError):
        proxel.ShardedPermutationIndex.load('nowhere.index')


def test_wrong_devices_of_objects_are_refused():
    for make in (proxel.ShardedStringIndex, proxel.ShardedPermutationIndex):
        for wrong in (dict(devices=[]), dict(devices=several, shares=[1]), dict(devices=several, divide='columns')):
            with pytest.raises(ValueError):
                make(words, **wrong)
        with pytest.raises(TypeError):
            make(words, devices='cpu')
    with pytest.raises(ValueError):
        proxel.ShardedSignatureIndex(pictures(9, 1), several, alpha=0)
