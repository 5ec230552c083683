"""A source that uses a name of the standard library includes its header, itself or through a header of proxel's own.
What other headers of the standard library happen to bring along differs from one release of it to the next: <memory>
brought std::sort with GCC 12 and does not with GCC 14."""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ('core', 'vk_backend', 'cuda_backend', 'apps', 'tests')
# Where a name in quotes is looked for, beside the folder of the file that includes it.
INCLUDE_FOLDERS = ('core/include', 'core', 'vk_backend/include', 'vk_backend', 'cuda_backend/include', 'cuda_backend', 'apps',
                   'apps/common', 'apps/demo', 'apps/proxel', 'apps/engine', 'apps/conformance', 'tests', 'tests/faults')
HEADERS = {
    'algorithm': r'std::(?:ranges::)?(?:sort|stable_sort|nth_element|partial_sort|min|max|clamp|minmax|min_element|max_element'
                 r'|find|find_if|any_of|all_of|none_of|copy_n|copy_if|fill_n|transform|reverse|count_if|lower_bound'
                 r'|upper_bound|unique|remove_if|generate|equal_range|is_sorted|shuffle|rotate|merge|set_intersection)\(',
    'array': r'std::array<',
    'atomic': r'std::atomic<',
    'bit': r'std::(?:bit_cast|popcount|bit_ceil|bit_width|bit_floor|countr_zero|countl_zero|has_single_bit)\b',
    'chrono': r'std::chrono::',
    'cmath': r'std::(?:sqrt|exp|exp2|log|log2|pow|fma|isnan|isfinite|isinf|nextafter|floor|ceil|lround|ldexp|frexp|signbit)\(',
    'condition_variable': r'std::condition_variable',
    'cstdio': r'std::(?:fopen|fprintf|fputs|puts|fwrite|fread|FILE)\b',
    'cstdlib': r'std::(?:getenv|malloc|free|abort|exit|strtoul|strtod)\(',
    'cstring': r'std::(?:memcpy|memcmp|memset|memmove|strlen|strcmp|strerror)\(',
    'deque': r'std::deque<',
    'filesystem': r'std::filesystem',
    'fstream': r'std::[io]?fstream\b',
    'functional': r'std::(?:function|hash|less|greater|equal_to|reference_wrapper)<|std::(?:ref|cref|bind_front)\(',
    'iomanip': r'std::(?:setw|setprecision|put_time|quoted)\(',
    'limits': r'std::numeric_limits',
    'map': r'std::map<',
    'mutex': r'std::(?:mutex|lock_guard|scoped_lock|unique_lock|once_flag|call_once)\b',
    'numeric': r'std::(?:iota|accumulate|inner_product|reduce|partial_sum|gcd|lcm|midpoint)\(',
    'optional': r'std::(?:optional<|nullopt\b|make_optional)',
    'random': r'std::(?:mt19937|uniform_|normal_distribution|random_device)',
    'set': r'std::set<',
    'span': r'std::span<',
    'sstream': r'std::[io]?stringstream\b',
    'stdexcept': r'std::(?:runtime_error|logic_error|invalid_argument|out_of_range|length_error)\b',
    'string_view': r'std::string_view\b',
    'thread': r'std::(?:jthread|thread|this_thread)\b',
    'tuple': r'std::(?:tuple<|make_tuple\(|tie\()',
    'unordered_map': r'std::unordered_map<',
    'unordered_set': r'std::unordered_set<',
    'variant': r'std::(?:variant<|visit\(|monostate\b|get_if<|holds_alternative<)',
    'vector': r'std::vector<',
}
USES = {header: re.compile(pattern) for header, pattern in HEADERS.items()}
# What the standard says that a header includes.
ALSO = {'map': {'tuple'}, 'string': {'string_view'}}


class Sources:
    def __init__(self):
        self.texts = {}
        self.reached = {}

    def text(self, path):
        if path not in self.texts:
            self.texts[path] = re.sub(r'//[^\n]*|/\*.*?\*/', '', path.read_text(encoding='utf-8'), flags=re.S)
        return self.texts[path]

    def own_header(self, path, name):
        for folder in (path.parent, *(ROOT / folder for folder in INCLUDE_FOLDERS)):
            if (folder / name).is_file():
                return folder / name
        return None

    def standard_headers(self, path):
        """Those that a file includes, by itself and through headers of proxel's own."""
        if path not in self.reached:
            self.reached[path] = found = set()
            for name in re.findall(r'^#include <([a-z_]+)>', self.text(path), flags=re.M):
                found |= {name} | ALSO.get(name, set())
            for name in re.findall(r'^#include "([^"]+)"', self.text(path), flags=re.M):
                header = self.own_header(path, name)
                if header:
                    found |= self.standard_headers(header)
        return self.reached[path]

    def missing(self, path):
        have = self.standard_headers(path)
        return [header for header, uses in USES.items() if header not in have and uses.search(self.text(path))]


class Includes(unittest.TestCase):
    def test_every_source_includes_what_it_uses(self):
        sources = Sources()
        paths = [path for folder in FOLDERS for suffix in ('hpp', 'cpp', 'cu', 'cuh')
                 for path in sorted((ROOT / folder).rglob('*.' + suffix))]
        self.assertGreater(len(paths), 500)
        found = [f'{path.relative_to(ROOT)} uses <{header}> and does not include it'
                 for path in paths for header in sources.missing(path)]
        self.assertEqual([], found, '\n' + '\n'.join(found))

    def test_a_missing_header_is_found(self):
        sources = Sources()
        path = ROOT / 'tests' / 'imagined.cpp'
        sources.texts[path] = '#include <memory>\nvoid f(int* p) { std::sort(p, p + 2); }\n'
        self.assertEqual(['algorithm'], sources.missing(path))
        sources.texts[path] = '#include <algorithm>\n' + sources.texts[path]
        sources.reached.clear()
        self.assertEqual([], sources.missing(path))


if __name__ == '__main__':
    unittest.main()
