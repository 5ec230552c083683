"""The library called from another language: Python, through ctypes."""
import ctypes
import math
import os
import threading
import time
import unittest
from ctypes import POINTER, c_char_p, c_double, c_float, c_int, c_size_t, c_uint32, c_uint64, c_void_p

library = ctypes.CDLL(os.environ['PROXEL_LIBRARY'])
library.proxel_last_error.restype = c_char_p
library.proxel_status_name.restype = c_char_p
library.proxel_version_string.restype = c_char_p
for destroy in ('device', 'index', 'string_index', 'signature_index', 'plan', 'matches'):
    getattr(library, f'proxel_{destroy}_destroy').argtypes = [c_void_p]
    getattr(library, f'proxel_{destroy}_destroy').restype = None
Progress = ctypes.CFUNCTYPE(c_int, c_void_p, c_uint64, c_uint64)

OK, INVALID_ARGUMENT, UNSUPPORTED, CANCELLED = 0, 1, 2, 100
CONTIGUOUS = 1 << 63


class Sized(ctypes.Structure):
    """A struct that begins with its size; all else is 0, the default."""
    def __init__(self, **members):
        super().__init__(struct_size=ctypes.sizeof(self), **members)


class Matrix(Sized):
    _fields_ = [('struct_size', c_size_t), ('data', POINTER(c_float)), ('rows', c_uint64), ('columns', c_uint64),
                ('row_stride', c_uint64), ('column_stride', c_uint64)]


class SearchOptions(Sized):
    _fields_ = [('struct_size', c_size_t), ('progress', Progress), ('progress_user', c_void_p), ('raw', c_uint64),
                ('filter', POINTER(c_uint32)), ('filter_rows', c_uint64), ('filter_words', c_uint64),
                ('filter_stride', c_uint64), ('after_indices', POINTER(c_uint32)),
                ('after_distances', POINTER(c_float)), ('after_queries', c_uint64), ('after_columns', c_uint64)]


class Strings(Sized):
    _fields_ = [('struct_size', c_size_t), ('texts', POINTER(c_char_p)), ('lengths', POINTER(c_uint64)),
                ('count', c_uint64), ('units', c_char_p)]


class Signatures(Sized):
    _fields_ = [('struct_size', c_size_t), ('offsets', POINTER(c_uint64)), ('centroids', POINTER(c_float)),
                ('weights', POINTER(c_float)), ('count', c_uint64), ('dimensions', c_uint64)]


class SignatureLayout(Sized):
    _fields_ = [('struct_size', c_size_t)] + [(name, c_uint64) for name in (
        'coordinates', 'weights', 'spans', 'terms', 'groups', 'margins', 'errors', 'counts', 'bytes', 'places')]


class MatchesView(Sized):
    _fields_ = [('struct_size', c_size_t), ('queries', c_uint64), ('offsets', POINTER(c_uint64)),
                ('indices', POINTER(c_uint32)), ('distances', POINTER(c_float))]


def matrix(rows):
    values = [value for row in rows for value in row]
    return Matrix(data=(c_float * len(values))(*values), rows=len(rows), columns=len(rows[0]), row_stride=CONTIGUOUS,
                  column_stride=CONTIGUOUS)


def signatures(lists):
    """Of one dimension: the centroids of each, all of weight 1."""
    centroids = [value for one in lists for value in one]
    offsets = [sum(len(one) for one in lists[:i]) for i in range(len(lists) + 1)]
    return Signatures(offsets=(c_uint64 * len(offsets))(*offsets), centroids=(c_float * len(centroids))(*centroids),
                      weights=(c_float * len(centroids))(*[1] * len(centroids)), count=len(lists), dimensions=1)


class FromPython(unittest.TestCase):
    def ok(self, status):
        self.assertEqual(status, OK, library.proxel_last_error())

    def setUp(self):
        self.device = c_void_p()
        self.ok(library.proxel_device_open(b'cpu', ctypes.byref(self.device)))
        self.addCleanup(library.proxel_device_destroy, self.device)

    def index(self, rows):
        index = c_void_p()
        self.ok(library.proxel_index_create(self.device, ctypes.byref(matrix(rows)), None, ctypes.byref(index)))
        self.addCleanup(library.proxel_index_destroy, index)
        return index

    def search(self, index, queries, k, metric, options=None):
        slots = len(queries) * k
        indices, distances = (c_uint32 * slots)(), (c_float * slots)()
        status = library.proxel_index_search(index, ctypes.byref(matrix(queries)), c_uint64(k), metric,
                                             ctypes.byref(options) if options else None, indices, distances,
                                             c_uint64(slots))
        return status, list(indices), list(distances)

    def test_neighbours_are_those_of_brute_force(self):
        # Whole numbers, whose distances Python and binary32 both have exactly.
        rows = [[float(i * 7919 % 97), float(i * 104729 % 89), float(i * 31 % 83)] for i in range(300)]
        queries = [[float(i), float(90 - i), 41.0] for i in range(40)]
        index = self.index(rows)
        status, indices, distances = self.search(index, queries, 6, b'l2sq')
        self.ok(status)
        for i, query in enumerate(queries):
            expected = sorted((sum((a - b) ** 2 for a, b in zip(query, row)), r) for r, row in enumerate(rows))[:6]
            self.assertEqual(list(zip(distances, indices))[6 * i:6 * i + 6], expected)

    def test_matches_within_a_radius(self):
        index = self.index([[0.0], [1.0], [3.0], [2.0]])
        matches, view = c_void_p(), MatchesView()
        library.proxel_index_range_search.argtypes = [c_void_p, c_void_p, c_float, c_char_p, c_void_p, c_void_p]
        self.ok(library.proxel_index_range_search(index, ctypes.byref(matrix([[0.0], [3.0]])), 1.5, b'l1', None,
                                                  ctypes.byref(matches)))
        self.addCleanup(library.proxel_matches_destroy, matches)
        self.ok(library.proxel_matches_get(matches, ctypes.byref(view)))
        self.assertEqual(view.offsets[0:3], [0, 2, 4])
        self.assertEqual(view.indices[0:4], [0, 1, 2, 3])
        self.assertEqual(view.distances[0:4], [0, 1, 0, 1])

    def test_words(self):
        texts = [word.encode() for word in ('tree', 'three', 'thé', 'trees')]
        words = Strings(texts=(c_char_p * 4)(*texts), count=4)
        index = c_void_p()
        self.ok(library.proxel_string_index_create(self.device, ctypes.byref(words), None, ctypes.byref(index)))
        self.addCleanup(library.proxel_string_index_destroy, index)
        asked = Strings(texts=(c_char_p * 1)('thee'.encode()), count=1)
        indices, distances = (c_uint32 * 2)(), (c_float * 2)()
        self.ok(library.proxel_string_index_search(index, ctypes.byref(asked), c_uint64(2), None, None, indices,
                                                   distances, c_uint64(2)))
        self.assertEqual((list(indices), list(distances)), ([0, 1], [1, 1]))

    def test_progress_is_a_function_of_the_callers(self):
        index = self.index([[float(i)] for i in range(10)])
        calls = []
        options = SearchOptions(progress=Progress(lambda user, done, total: calls.append((done, total)) or 0))
        self.ok(self.search(index, [[3.0]], 1, None, options)[0])
        self.assertEqual(calls, [(1, 1)])
        options.progress = Progress(lambda user, done, total: 1)
        self.assertEqual(self.search(index, [[3.0]], 1, None, options)[0], CANCELLED)

    def test_progress_comes_five_times_a_second_and_ends_a_search(self):
        # A search of seconds in one submission.
        count, dimensions, asked = 40000, 16, 6000
        values = (c_float * (count * dimensions))(*[float(i * 7919 % 1009) for i in range(count * dimensions)])
        rows = Matrix(data=values, rows=count, columns=dimensions, row_stride=CONTIGUOUS, column_stride=CONTIGUOUS)
        queries = Matrix(data=values, rows=asked, columns=dimensions, row_stride=CONTIGUOUS,
                         column_stride=CONTIGUOUS)
        index, indices, distances = c_void_p(), (c_uint32 * asked)(), (c_float * asked)()
        self.ok(library.proxel_index_create(self.device, ctypes.byref(rows), None, ctypes.byref(index)))
        self.addCleanup(library.proxel_index_destroy, index)

        def search(progress):
            options = SearchOptions(progress=Progress(progress))
            return library.proxel_index_search(index, ctypes.byref(queries), c_uint64(1), b'linf',
                                               ctypes.byref(options), indices, distances, c_uint64(asked))
        calls = []
        begin = time.monotonic()
        self.ok(search(lambda user, done, total: calls.append((done, total)) or 0))
        self.assertGreaterEqual(len(calls), int(5 * (time.monotonic() - begin)))
        self.assertEqual(calls[-1], (asked, asked))
        self.assertEqual(calls, sorted(calls))
        self.assertEqual(list(indices), [i % 1009 for i in range(asked)])  # rows are repeated
        stopped = []
        self.assertEqual(search(lambda user, done, total: stopped.append(time.monotonic()) or 1), CANCELLED)
        self.assertLess(time.monotonic() - stopped[0], 0.5)
        self.ok(search(lambda user, done, total: 0))

    def test_strides_of_zero_are_refused(self):
        values = (c_float * 2)(1, 2)
        repeated = Matrix(data=values, rows=300, columns=2, row_stride=0, column_stride=1)
        index = c_void_p()
        self.assertEqual(library.proxel_index_create(self.device, ctypes.byref(repeated), None, ctypes.byref(index)),
                         INVALID_ARGUMENT)
        self.assertIn(b'rows: row_stride of 0 was given for 300', library.proxel_last_error())
        self.assertIn(b'PROXEL_CONTIGUOUS', library.proxel_last_error())

    def test_threads_are_answered_or_refused(self):
        index = self.index([[float(i)] for i in range(500)])
        queries, statuses = [[float(i)] for i in range(100)], []

        def work():
            for _ in range(50):
                status, indices, _ = self.search(index, queries, 1, b'l1')
                statuses.append((status, status == INVALID_ARGUMENT or indices == list(range(100))))
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(statuses), 200)
        self.assertIn((OK, True), statuses)
        self.assertLessEqual(set(statuses), {(OK, True), (INVALID_ARGUMENT, True)})

    def test_handles_that_are_wrong_are_errors(self):
        index = self.index([[1.0]])
        self.assertEqual(self.search(self.device, [[1.0]], 1, None)[0], INVALID_ARGUMENT)
        self.assertIn(b'index: is a handle of another kind (device)', library.proxel_last_error())
        library.proxel_index_destroy(index)
        self.assertEqual(self.search(index, [[1.0]], 1, None)[0], INVALID_ARGUMENT)
        self.assertIn(b'index: has been destroyed', library.proxel_last_error())
        library.proxel_index_destroy(index)
        self.assertEqual(self.search(c_void_p(4096), [[1.0]], 1, None)[0], INVALID_ARGUMENT)

    def test_errors_are_values_with_a_text(self):
        index = self.index([[1.0, 2.0]])
        self.assertEqual(self.search(index, [[1.0, 2.0]], 0, b'l1')[0], INVALID_ARGUMENT)
        self.assertTrue(library.proxel_last_error().startswith(b'k: 0 was given'))
        self.assertEqual(self.search(index, [[1.0, 2.0]], 1, b'l3')[0], INVALID_ARGUMENT)
        self.assertIn(b'cosine', library.proxel_last_error())
        self.assertEqual(library.proxel_status_name(UNSUPPORTED), b'unsupported')

    def test_the_answer_is_padded(self):
        status, indices, distances = self.search(self.index([[1.0]]), [[1.0]], 2, None)
        self.ok(status)
        self.assertEqual(indices, [0, 0xFFFFFFFF])
        self.assertTrue(math.isinf(distances[1]))

    def test_bounds_are_doubles(self):
        bound = c_double()
        self.ok(library.proxel_error_bound(b'cosine', c_uint32(8), ctypes.byref(bound)))
        self.assertEqual(bound.value, 2e-5)
        self.assertRegex(library.proxel_version_string().decode(), r'^\d+\.\d+\.\d+$')

    def test_queries_of_signatures_are_packed(self):
        index, plan, layout = c_void_p(), c_void_p(), SignatureLayout()
        known = signatures([[0, 1], [5], [9, 9.5]])
        self.ok(library.proxel_signature_index_create(self.device, ctypes.byref(known), None, ctypes.byref(index)))
        self.addCleanup(library.proxel_signature_index_destroy, index)
        self.ok(library.proxel_signature_index_plan(index, c_uint32(2), c_uint32(3), c_uint64(1), ctypes.byref(plan)))
        self.addCleanup(library.proxel_plan_destroy, plan)
        self.ok(library.proxel_plan_get_signature_layout(plan, ctypes.byref(layout)))
        memory = (c_uint32 * (layout.bytes // 4))()
        asked = signatures([[0, 1, 2], [5]])
        self.ok(library.proxel_plan_pack_signatures(plan, ctypes.byref(asked), memory, c_uint64(layout.bytes)))
        spans = memory[layout.spans // 4:layout.spans // 4 + 4]
        self.assertEqual(spans, [0, 3, 4, 1])
        self.assertEqual(library.proxel_plan_pack_signatures(plan, ctypes.byref(known), memory, c_uint64(layout.bytes)),
                         INVALID_ARGUMENT)
        self.assertIn(b'3 was given, 2 to 2 is allowed', library.proxel_last_error())


if __name__ == '__main__':
    unittest.main()
