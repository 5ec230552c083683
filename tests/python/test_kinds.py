"""Strings, permutations and signatures."""
import numpy as np
import proxel
import pytest

words = ['tree', 'three', 'thé', 'trees', 'bush', 'brush', 'rush', 'tulip', '', 'three']


def levenshtein(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (x != y))
    return row[-1]


@pytest.mark.parametrize('kind', [str, bytes])
def test_strings(kind, device):
    texts = words if kind is str else [word.encode() for word in words]
    asked = [texts[i][1:] for i in (0, 4, 7)]
    index = proxel.StringIndex(texts, device=device)
    expected = np.array([[levenshtein(a, b) for b in texts] for a in asked])
    order = np.argsort(expected, axis=1, kind='stable')[:, :4]
    found = index.search(asked, 4)
    assert (found.indices == order).all() and (found.distances == np.take_along_axis(expected, order, 1)).all()
    offsets, distances, indices = index.range_search(asked, 2)
    for i in range(3):
        assert set(indices[offsets[i] : offsets[i + 1]]) == set(np.flatnonzero(expected[i] <= 2))
    assert [index.text(i) for i in range(len(texts))] == texts
    assert index.units == ('code-points' if kind is str else 'bytes')
    assert index.add(texts[:1]) == 10 and index.remove([0]) == 1
    assert index.search(texts[:1], 1).indices.tolist() == [[10]]
    with pytest.raises(TypeError, match='item 1 is'):
        index.search([asked[0], 3], 1)
    with pytest.raises(TypeError):
        index.search([b'x' if kind is str else 'x'], 1)
    with pytest.raises(proxel.ProxelError):
        index.text(0)
    assert index.search([], 2).indices.shape == (0, 2)


def test_numpy_has_strings_too(device):
    assert proxel.StringIndex(np.array(words), device=device).search(np.array(['tulips']), 1).indices.tolist() == [[7]]
    assert proxel.StringIndex(np.array(words, object), device=device).search(['tulips'], 1).indices.tolist() == [[7]]


@pytest.mark.parametrize('wrong', ['tree', None, 3, [1, 2], ['a', b'b'], ['\ud800'], [None], []])
def test_what_is_no_list_of_strings(wrong):
    with pytest.raises((TypeError, ValueError)) as raised:
        proxel.StringIndex(wrong, device='cpu')
    assert isinstance(raised.value, proxel.ProxelError)


def test_permutations_of_vectors(random, device):
    rows = random.random((400, 6), dtype=np.float32)
    index = proxel.PermutationIndex(rows, 'l2', device, permutants=16)
    exact = proxel.Index(rows, 'l2', device).search(rows[:20], 5)
    assert all(a.tobytes() == b.tobytes() for a, b in zip(index.search(rows[:20], 5, fraction=1), exact))
    some = index.search(rows[:20], 5, fraction=0.2)
    assert (some.indices[:, 0] == np.arange(20)).mean() > 0.9
    assert index.candidates(5, 0.2) == 80 and len(index.permutants) == 16
    choice = index.choose_fraction(0.9, 5, rows[:50])
    assert 0 < choice.fraction <= 1 and choice.recall >= 0.9 and choice.queries == 50
    chosen = proxel.PermutationIndex(rows, 'l2', device, permutants=3, chosen=[5, 1, 7])
    assert chosen.permutants.tolist() == [5, 1, 7]
    with pytest.raises(NotImplementedError):
        index.add(['x'])
    with pytest.raises(ValueError):
        index.search(rows[:1], 1, fraction=0)
    with pytest.raises(TypeError):
        index.search(rows[:1], 1)


def test_permutations_of_strings_and_their_files(tmp_path, device):
    texts = [f'{i * 7919 % 1000:03}{i * 31 % 97}' for i in range(200)]
    index = proxel.PermutationIndex(texts, device=device, permutants=8)
    assert index.search(texts[:5], 1, fraction=1).indices[:, 0].tolist() == [0, 1, 2, 3, 4]
    index.save(tmp_path / 'saved')
    loaded = proxel.PermutationIndex.load(tmp_path / 'saved', device)
    found = [one.search(texts[50:60], 3, fraction=0.5) for one in (index, loaded)]
    assert all(a.tobytes() == b.tobytes() for a, b in zip(*found))
    assert loaded.range_search(texts[:3], 1, fraction=1).offsets.shape == (4,)
    assert 0 < index.choose_range_fraction(0.8, 2, texts[:20]).fraction <= 1
    with pytest.raises(FileNotFoundError):
        proxel.PermutationIndex.load(tmp_path / 'none', device)
    (tmp_path / 'torn').write_bytes((tmp_path / 'saved').read_bytes()[:-5])
    with pytest.raises(proxel.MalformedFileError):
        proxel.PermutationIndex.load(tmp_path / 'torn', device)


def test_signatures(random, device):
    made = [
        (random.random((n, 3), dtype=np.float32), random.random(n, dtype=np.float32)) for n in random.integers(1, 9, 30)
    ]
    index = proxel.SignatureIndex(made, device, alpha=0.3)

    def distance(a, b):
        centroids, weights = np.vstack([a[0], b[0]]).astype(np.float64), np.concatenate([a[1], -b[1]]).astype(
            np.float64
        )
        similarities = np.exp(-np.float64(np.float32(0.3)) * ((centroids[:, None] - centroids[None]) ** 2).sum(axis=2))
        return np.sqrt(max(0, weights @ similarities @ weights))

    expected = np.array([[distance(a, b) for b in made] for a in made[:6]])
    np.testing.assert_allclose(index.distances(made[:6]), expected, rtol=1e-4, atol=1e-5)
    found = index.search(made[:6], 4)
    assert (found.indices == np.argsort(expected, axis=1, kind='stable')[:, :4]).mean() > 0.95
    assert (found.indices[:, 0] == np.arange(6)).all() and (found.distances[:, 0] == 0).all()
    assert index.range_search(made[:6], 0).indices.tolist() == list(range(6))
    offsets = np.cumsum([0] + [len(one[1]) for one in made])
    joined = proxel.Signatures(offsets, np.vstack([one[0] for one in made]), np.concatenate([one[1] for one in made]))
    assert (
        proxel.SignatureIndex(joined, device, alpha=0.3).distances(joined).tobytes() == index.distances(made).tobytes()
    )
    assert index.search([], 2).indices.shape == (0, 2)
    wrong_offsets = offsets.copy()
    wrong_offsets[-1] += 1
    for wrong in (
        joined._replace(offsets=wrong_offsets),
        joined._replace(offsets=offsets[::-1]),
        joined._replace(weights=[1.0]),
        [made[0], 3],
        [(made[0][0], made[1][1][:1])],
        'x',
        joined._replace(offsets=-offsets),
    ):
        with pytest.raises((TypeError, ValueError)):
            proxel.SignatureIndex(wrong, device)


def test_permutations_of_signatures(random, device):
    made = [
        (random.random((n, 3), dtype=np.float32), random.random(n, dtype=np.float32))
        for n in random.integers(1, 9, 200)
    ]
    index = proxel.PermutationIndex(made, device=device, permutants=16, alpha=0.3)
    exact = proxel.SignatureIndex(made, device, alpha=0.3)
    assert index.kind == 'signature-permutations' and index.size == 200 and len(index.permutants) == 16
    assert index.candidates(3, 0.1) == 20
    whole, right = index.search(made[:7], 4, fraction=1), exact.search(made[:7], 4)
    assert whole.indices.tobytes() == right.indices.tobytes()
    assert whole.distances.tobytes() == right.distances.tobytes()
    some = index.search(made[:7], 4, fraction=0.2, report=True)
    assert some.report.compared == 7 * 40 and (some.distances >= right.distances).all()
    assert (some.indices[:, 0] == np.arange(7)).all()
    within, near = index.range_search(made[:3], 0.4, fraction=1), exact.range_search(made[:3], 0.4)
    assert within.offsets.tolist() == near.offsets.tolist() and within.indices.tolist() == near.indices.tolist()
    choice = index.choose_fraction(0.9, 3)
    assert choice.recall >= 0.9 and choice.queries == 200
    assert index.search([], 2, fraction=0.5).indices.shape == (0, 2)
    for wrong in (dict(metric='l1'), dict(string_distance='hamming')):
        with pytest.raises(proxel.UnsupportedError, match=next(iter(wrong))):
            proxel.PermutationIndex(made, device=device, **wrong)
    for wrong in (dict(alpha=0), dict(alpha=-1), dict(similarity='x'), dict(permutants=0), dict(permutants=300)):
        with pytest.raises((TypeError, ValueError)):
            proxel.PermutationIndex(made, device=device, **wrong)
    with pytest.raises(proxel.UnsupportedError, match='signature-permutations'):
        index.add(['x'])
    with pytest.raises((TypeError, ValueError)):
        index.search(['x'], 1, fraction=1)


def test_signatures_on_several_devices(random, device):
    made = [
        (random.random((n, 3), dtype=np.float32), random.random(n, dtype=np.float32)) for n in random.integers(1, 9, 60)
    ]
    devices = sorted({device, 'cpu', 'cpu:reference'})
    expected = proxel.SignatureIndex(made, 'cpu')
    for precision in ('float', 'double'):
        try:
            index = proxel.KrulisIndex(made, devices, precision=precision, filter='ptolemaic', pivots=5)
        except proxel.UnsupportedError as error:
            # SwiftShader, for one, has no binary64 in shaders.
            assert precision == 'double' and 'shaderFloat64' in str(error) and device in str(error)
            continue
        with index:
            assert index.kind == 'krulis' and len(index.pivots) == 5 and index.dimensions == 3
            found, near = index.search(made[:9], 4, report=True), expected.search(made[:9], 4)
            assert (found.indices[:, 0] == np.arange(9)).all()
            np.testing.assert_allclose(found.distances, near.distances, rtol=1e-3, atol=1e-3)
            np.testing.assert_allclose(index.distances(made[:3]), expected.distances(made[:3]), rtol=1e-3, atol=1e-3)
            assert index.range_search(made[:3], 10).offsets.tolist() == [0, 60, 120, 180]
    assert proxel.KrulisIndex(made, ['cpu'], filter='pivots', pivots=[7, 9]).pivots.tolist() == [7, 9]
    whole, tight = proxel.KrulisIndex(made, devices), proxel.KrulisIndex(made, devices, memory_limit=3000, group=10)
    assert (whole.distances(made) == tight.distances(made)).all()
    for wrong in (
        dict(devices='cpu'),
        dict(devices=[]),
        dict(devices=['cpu', 'cpu:99']),
        dict(devices=3),
        dict(alpha=0),
        dict(pivots='x'),
        dict(pivots=[99]),
        dict(pivots=0),
        dict(pivots=[]),
        dict(filter='x'),
        dict(scan_block=-1),
    ):
        with pytest.raises((TypeError, ValueError, LookupError)):
            proxel.KrulisIndex(made, **{'devices': ['cpu'], **wrong})
