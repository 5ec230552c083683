"""Files of vectors and of lines, and saved indexes."""
import gzip
import os

import numpy as np
import proxel
import pytest


@pytest.fixture
def rows(random):
    return random.random((300, 6), dtype=np.float32)


@pytest.mark.parametrize('ending', ['.npy', '.csv', '.fvecs', '.fbin'])
def test_floats_come_back(rows, tmp_path, ending):
    path = tmp_path / f'rows{ending}'
    proxel.write(path, rows)
    assert proxel.read(path).tobytes() == rows.tobytes() and proxel.read(str(path), first_row=7, max_rows=5).shape == (
        5,
        6,
    )
    info = proxel.inspect(path)
    assert info.format == ending[1:] and info.shape == (300, 6) and info.file_bytes == path.stat().st_size


@pytest.mark.parametrize(
    'dtype, ending',
    [
        (np.float16, '.npy'),
        (np.int8, '.npy'),
        (np.uint8, '.npy'),
        (np.uint8, '.bvecs'),
        (np.uint8, '.u8bin'),
        (np.int64, '.npy'),
        (np.int32, '.ivecs'),
        (np.uint32, '.ibin'),
    ],
)
def test_other_types_come_back(random, tmp_path, dtype, ending):
    values = random.integers(0, 100, (40, 5)).astype(dtype)
    proxel.write(tmp_path / f'values{ending}', values)
    # Whole numbers are written as uint32 and read as int32.
    kind = {} if values.itemsize < 4 or ending != '.npy' else dict(type='int32')
    assert (proxel.read(tmp_path / f'values{ending}', **kind) == values).all()


def test_numpy_reads_what_is_written_and_writes_what_is_read(rows, tmp_path):
    proxel.write(tmp_path / 'ours.npy', rows[:, ::2])
    assert (np.load(tmp_path / 'ours.npy') == rows[:, ::2]).all()
    np.save(tmp_path / 'theirs.npy', rows.astype(np.float64) + 1e-9)
    with pytest.raises(NotImplementedError):
        proxel.read(tmp_path / 'theirs.npy')
    table = proxel.read_table(tmp_path / 'theirs.npy', type='float32')
    assert table.values.dtype == np.float32 and table.rounded == 1800


def test_mapped_values_are_searched_where_they_lie(rows, tmp_path):
    proxel.write(tmp_path / 'rows.fvecs', rows)
    mapped = proxel.read(tmp_path / 'rows.fvecs', mapped=True)
    assert not mapped.flags.writeable and not mapped.flags.owndata and (mapped == rows).all()
    part = mapped[5:]
    del mapped
    assert (proxel.Index(part, device='cpu').search(rows[5:15], 1).indices[:, 0] == np.arange(10)).all()
    copied = proxel.read(tmp_path / 'rows.fvecs')
    copied[0] = 0
    assert (part == rows[5:]).all()


def test_text_has_names(tmp_path):
    (tmp_path / 'table.csv').write_text('name,x,y,kind\na,1,2.5,red\nb,3,,blue\n')
    table = proxel.read_table(tmp_path / 'table.csv', ids='name', labels='kind', missing='nan')
    assert (table.columns, table.ids, table.labels) == (('x', 'y'), ('a', 'b'), ('red', 'blue'))
    assert table.values[0].tolist() == [1, 2.5] and np.isnan(table.values[1, 1])
    assert proxel.read_table(tmp_path / 'table.csv', ids='1', labels='last', missing='drop').dropped_rows == 1
    with pytest.raises(proxel.MalformedFileError, match='table.csv'):
        proxel.read(tmp_path / 'table.csv', ids='name', labels='kind')


def test_lines(tmp_path):
    with gzip.open(tmp_path / 'words.txt.gz', 'wb') as file:
        file.write('tree\nthé\r\n\nbush'.encode())
    assert proxel.read_lines(tmp_path / 'words.txt.gz') == ['tree', 'thé', 'bush']
    (tmp_path / 'bytes.txt').write_bytes(b'\xff\n')
    with pytest.raises(ValueError, match='UTF-8'):
        proxel.read_lines(tmp_path / 'bytes.txt')


def test_what_is_no_file(rows, tmp_path):
    (tmp_path / 'broken.npy').write_bytes(b'no numpy')
    for call, kind in (
        (lambda: proxel.read(tmp_path / 'none.npy'), FileNotFoundError),
        (lambda: proxel.inspect(tmp_path / 'none.npy'), FileNotFoundError),
        (lambda: proxel.read(tmp_path / 'broken.npy'), proxel.MalformedFileError),
        (lambda: proxel.read(3), TypeError),
        (lambda: proxel.read('a\0b.npy'), ValueError),
        (lambda: proxel.read(tmp_path / 'broken.npy', type=3), TypeError),
        (lambda: proxel.read(tmp_path / 'broken.npy', first_row=-1), ValueError),
        (lambda: proxel.write(tmp_path / 'rows.jpeg', rows), (NotImplementedError, ValueError)),
        (lambda: proxel.write(tmp_path / 'none/rows.npy', rows), OSError),
        (lambda: proxel.write(tmp_path / 'rows.npy', rows[0]), ValueError),
        (lambda: proxel.write(tmp_path / 'rows.npy', rows.astype(float)), TypeError),
        (lambda: proxel.write(tmp_path / 'rows.npy', np.array([[-1]])), ValueError),
    ):
        with pytest.raises(kind) as raised:
            call()
        assert isinstance(raised.value, proxel.ProxelError)


def test_indexes_are_saved_and_loaded(rows, tmp_path, device):
    index = proxel.Index(rows, 'l2', device)
    index.remove([3, 4])
    index.save(tmp_path / 'saved')
    loaded = proxel.Index.load(tmp_path / 'saved', 'l2', device)
    assert (loaded.size, loaded.removed, loaded.metric, loaded.dimensions) == (298, 2, 'l2', 6)
    assert all(a.tobytes() == b.tobytes() for a, b in zip(index.search(rows, 4), loaded.search(rows, 4)))
    assert loaded.add(rows[:2]) == 300
    loaded.save(os.fsencode(tmp_path / 'again'))
    assert len(proxel.Index.load(tmp_path / 'again', device='cpu')) == 300
    streamed = proxel.Index.load(tmp_path / 'again', 'l2', device, memory_limit=8192)
    assert all(a.tobytes() == b.tobytes() for a, b in zip(streamed.search(rows, 4), loaded.search(rows, 4)))
    saved = (tmp_path / 'saved').read_bytes()
    for broken in saved[:-1], saved[:100], b'', saved[:2000] + b'?' + saved[2001:], saved.replace(b'\x01', b'\x02', 1):
        (tmp_path / 'broken').write_bytes(broken)
        with pytest.raises((proxel.MalformedFileError, proxel.UnsupportedError), match='broken'):
            proxel.Index.load(tmp_path / 'broken', device=device)
    with pytest.raises(FileNotFoundError):
        proxel.Index.load(tmp_path / 'none', device=device)
    with pytest.raises(OSError):
        index.save(tmp_path / 'none/saved')
