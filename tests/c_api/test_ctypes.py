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
for destroy in ('device', 'index', 'plan', 'answer'):
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
    _fields_ = [('struct_size', c_size_t), ('progress', Progress), ('progress_user', c_void_p), ('metric', c_char_p),
                ('fraction', c_double), ('raw', c_uint64), ('ordered', c_uint64), ('filter', POINTER(c_uint32)),
                ('filter_rows', c_uint64), ('filter_words', c_uint64), ('filter_stride', c_uint64),
                ('after', c_void_p)]


class PlanOptions(Sized):
    _fields_ = [('struct_size', c_size_t), ('metric', c_char_p), ('filter', c_char_p), ('continued', c_uint64),
                ('counted', c_uint64), ('ordered', c_uint64), ('fraction', c_double), ('longest_query', c_uint64)]


class Strings(Sized):
    _fields_ = [('struct_size', c_size_t), ('texts', POINTER(c_char_p)), ('lengths', POINTER(c_uint64)),
                ('count', c_uint64), ('units', c_char_p)]


class Signatures(Sized):
    _fields_ = [('struct_size', c_size_t), ('offsets', POINTER(c_uint64)), ('centroids', POINTER(c_float)),
                ('weights', POINTER(c_float)), ('count', c_uint64), ('dimensions', c_uint64)]


class SignatureLayout(Sized):
    _fields_ = [('struct_size', c_size_t)] + [(name, c_uint64) for name in (
        'coordinates', 'weights', 'spans', 'terms', 'groups', 'margins', 'errors', 'counts', 'bytes', 'places')]


class Objects(Sized):
    _fields_ = [('struct_size', c_size_t), ('rows', POINTER(Matrix)), ('strings', POINTER(Strings)),
                ('signatures', POINTER(Signatures)), ('stored_rows', c_void_p), ('own_rows', c_void_p)]


class AnswerView(Sized):
    _fields_ = [('struct_size', c_size_t), ('queries', c_uint64), ('columns', c_uint64),
                ('offsets', POINTER(c_uint64)), ('indices', POINTER(c_uint32)), ('distances', POINTER(c_float)),
                ('metric', c_char_p), ('ordered', c_uint64)]


class Part(ctypes.Structure):
    _fields_ = [('answer', c_void_p), ('first_index', c_uint64)]


def objects(of):
    """Of a matrix, strings or signatures, by reference."""
    member = {Matrix: 'rows', Strings: 'strings', Signatures: 'signatures'}[type(of)]
    return ctypes.byref(Objects(**{member: ctypes.pointer(of)}))


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
        self.ok(library.proxel_index_create(self.device, objects(matrix(rows)), None, ctypes.byref(index)))
        self.addCleanup(library.proxel_index_destroy, index)
        return index

    def found(self, index, queries, k, options=None):
        """The status of a search, and its answer."""
        answer = c_void_p()
        status = library.proxel_index_search(index, objects(queries), c_uint64(k),
                                             ctypes.byref(options) if options else None, ctypes.byref(answer))
        self.addCleanup(library.proxel_answer_destroy, answer)
        return status, answer

    def copied(self, answer, slots):
        indices, distances = (c_uint32 * slots)(), (c_float * slots)()
        self.ok(library.proxel_answer_copy(answer, indices, distances, c_uint64(slots)))
        return list(indices), list(distances)

    def search(self, index, queries, k, metric):
        status, answer = self.found(index, matrix(queries), k, SearchOptions(metric=metric))
        return (status, *self.copied(answer, len(queries) * k)) if status == OK else (status, [], [])

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
        answer, view = c_void_p(), AnswerView()
        library.proxel_index_range_search.argtypes = [c_void_p, c_void_p, c_float, c_void_p, c_void_p]
        self.ok(library.proxel_index_range_search(index, objects(matrix([[0.0], [3.0]])), 1.5,
                                                  ctypes.byref(SearchOptions(metric=b'l1')), ctypes.byref(answer)))
        self.addCleanup(library.proxel_answer_destroy, answer)
        self.ok(library.proxel_answer_get(answer, ctypes.byref(view)))
        self.assertEqual((view.queries, view.columns, view.metric), (2, 0, b'l1'))
        self.assertEqual(view.offsets[0:3], [0, 2, 4])
        self.assertEqual(view.indices[0:4], [0, 1, 2, 3])
        self.assertEqual(view.distances[0:4], [0, 1, 0, 1])

    def test_words(self):
        texts = [word.encode() for word in ('tree', 'three', 'thé', 'trees')]
        words = Strings(texts=(c_char_p * 4)(*texts), count=4)
        index = c_void_p()
        self.ok(library.proxel_string_index_create(self.device, objects(words), None, ctypes.byref(index)))
        self.addCleanup(library.proxel_index_destroy, index)
        status, answer = self.found(index, Strings(texts=(c_char_p * 1)('thee'.encode()), count=1), 2)
        self.ok(status)
        self.assertEqual(self.copied(answer, 2), ([0, 1], [1, 1]))
        self.assertEqual(self.found(index, matrix([[1.0]]), 2)[0], INVALID_ARGUMENT)
        self.assertEqual(library.proxel_last_error(), b'queries: has rows; strings are expected')

    def test_searches_of_parts_are_merged(self):
        rows = [[float(i * 7919 % 97), float(i * 104729 % 89)] for i in range(300)]
        queries = [[float(i), 41.0] for i in range(20)]
        options = SearchOptions(metric=b'l2', ordered=1)
        parts = (Part * 3)()
        for i in range(3):
            status, answer = self.found(self.index(rows[100 * i:100 * i + 100]), matrix(queries), 9, options)
            self.ok(status)
            parts[i] = Part(answer, 100 * i)
        merged, finished = c_void_p(), c_void_p()
        self.ok(library.proxel_merge(parts, c_uint64(3), c_uint64(9), ctypes.byref(merged)))
        self.addCleanup(library.proxel_answer_destroy, merged)
        self.ok(library.proxel_finish(merged, ctypes.byref(finished)))
        self.addCleanup(library.proxel_answer_destroy, finished)
        self.assertEqual((OK, *self.copied(finished, 180)), self.search(self.index(rows), queries, 9, b'l2'))

    def test_progress_is_a_function_of_the_callers(self):
        index, asked = self.index([[float(i)] for i in range(10)]), matrix([[3.0]])
        calls = []
        options = SearchOptions(progress=Progress(lambda user, done, total: calls.append((done, total)) or 0))
        self.ok(self.found(index, asked, 1, options)[0])
        self.assertEqual(calls, [(1, 1)])
        options.progress = Progress(lambda user, done, total: 1)
        self.assertEqual(self.found(index, asked, 1, options)[0], CANCELLED)

    def test_progress_comes_five_times_a_second_and_ends_a_search(self):
        # A search of seconds in one submission.
        count, dimensions, asked = 40000, 16, 6000
        values = (c_float * (count * dimensions))(*[float(i * 7919 % 1009) for i in range(count * dimensions)])
        rows = Matrix(data=values, rows=count, columns=dimensions, row_stride=CONTIGUOUS, column_stride=CONTIGUOUS)
        queries = Matrix(data=values, rows=asked, columns=dimensions, row_stride=CONTIGUOUS,
                         column_stride=CONTIGUOUS)
        index, answers = c_void_p(), []
        self.ok(library.proxel_index_create(self.device, objects(rows), None, ctypes.byref(index)))
        self.addCleanup(library.proxel_index_destroy, index)

        def search(progress):
            status, answer = self.found(index, queries, 1, SearchOptions(progress=Progress(progress), metric=b'linf'))
            answers.append(answer)
            return status
        calls = []
        begin = time.monotonic()
        self.ok(search(lambda user, done, total: calls.append((done, total)) or 0))
        self.assertGreaterEqual(len(calls), int(5 * (time.monotonic() - begin)))
        self.assertEqual(calls[-1], (asked, asked))
        self.assertEqual(calls, sorted(calls))
        self.assertEqual(self.copied(answers[0], asked)[0], [i % 1009 for i in range(asked)])  # rows are repeated
        stopped = []
        self.assertEqual(search(lambda user, done, total: stopped.append(time.monotonic()) or 1), CANCELLED)
        self.assertLess(time.monotonic() - stopped[0], 0.5)
        self.ok(search(lambda user, done, total: 0))

    def test_strides_of_zero_are_refused(self):
        values = (c_float * 2)(1, 2)
        repeated = Matrix(data=values, rows=300, columns=2, row_stride=0, column_stride=1)
        index = c_void_p()
        self.assertEqual(library.proxel_index_create(self.device, objects(repeated), None, ctypes.byref(index)),
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
        self.ok(library.proxel_signature_index_create(self.device, objects(known), None, ctypes.byref(index)))
        self.addCleanup(library.proxel_index_destroy, index)
        self.ok(library.proxel_index_plan(index, c_uint32(2), c_uint64(1), ctypes.byref(PlanOptions(longest_query=3)),
                                          ctypes.byref(plan)))
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
