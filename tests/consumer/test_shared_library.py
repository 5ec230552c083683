"""What the shared library shows of itself, and what it needs."""
import os
import re
import unittest

from support import Consumer, of_a_release, repository, shared_library

headers = [header for folder in ('core', 'vk_backend', 'cuda_backend')
           for header in sorted((repository / folder / 'include').rglob('*.h*'))]
text = re.sub(r'//.*', '', re.sub(r'/\*.*?\*/', '', '\n'.join(header.read_text() for header in headers), flags=re.S))
# Nested types that a public class declares and leaves to its source file to define.
inner_types = set(re.findall(r'^ +(?:struct|class) (?:PROXEL_HIDDEN )?(\w+);', text, re.M))
# What macros of the headers of passes stand for.
text = re.sub(r'PROXEL_CONSTANTS\((\w+)', r'struct \1Constants ', text)
namespaces = set(re.findall(r'\w+', ' '.join(re.findall(r'\bnamespace ([\w:]+)', text))))


def identifiers(symbol):
    """The names of a mangled symbol in order: proxel, Index, search of _ZN6proxel5Index6searchE…"""
    rest = re.sub(r'^_Z(T[ISV]|Th\w*?_|GV)?Z*N[rVK]*', '', symbol)
    names = []
    while length := re.match(r'\d+', rest):
        end = length.end() + int(length.group())
        names.append(rest[length.end():end])
        rest = rest[end:]
        # Tags such as [abi:cxx11] belong to the name before.
        rest = re.sub(r'^B\d+cxx11', '', rest)
    return names


def declared(names):
    """Whether a public header declares the first of the names that is not a namespace."""
    names = list(names)
    if not names or names[0] != 'proxel':
        return False
    while names and names[0] in namespaces:
        names.pop(0)
    if not names:
        return False
    is_type = re.search(rf'\b(class|struct|enum class) {names[0]}\b', text)
    is_object = re.search(rf'\bextern const [^;]*\b{names[0]};', text)
    return bool(is_type or is_object or (len(names) == 1 and re.search(rf'\b{names[0]}(\(|\b *=|{{)', text)))


class SharedLibrary(Consumer):
    def exported(self):
        output = self.succeed('nm', '-D', '--defined-only', shared_library())
        return [line.split()[-1].split('@')[0] for line in output.splitlines()]

    def test_only_what_headers_declare_is_exported(self):
        unknown = [name for name in self.exported()
                   if not re.match('proxel_', name) and not declared(identifiers(name))]
        self.assertEqual(unknown, [])

    def test_what_public_classes_keep_to_themselves_is_hidden(self):
        self.assertIn('Implementation', inner_types)
        self.assertEqual([name for name in self.exported() if inner_types.intersection(identifiers(name))], [])

    # Without these a header's functions are hidden, and its types differ between the library and a program.
    def test_every_public_header_is_marked_as_such(self):
        checked = [header for header in headers if header.suffix == '.hpp']
        self.assertGreater(len(checked), 20)
        for header in checked:
            with self.subTest(header=header.name):
                marks = re.findall(r'^(PROXEL_PUBLIC_\w+|namespace proxel\b|}  // namespace proxel)', header.read_text(), re.M)
                self.assertEqual(marks[:1] + marks[-1:], ['PROXEL_PUBLIC_BEGIN', 'PROXEL_PUBLIC_END'])
                self.assertEqual([marks.count(mark) for mark in ('PROXEL_PUBLIC_BEGIN', 'PROXEL_PUBLIC_END')], [1, 1])

    def test_inner_names_are_told_apart(self):
        for name, expected in (('_ZN6proxel5IndexC1ERNS_6DeviceE', True),
                               ('_ZTIN6proxel5ErrorE', True),
                               ('_ZN6proxel6vulkan11wrap_deviceERKNS0_13DeviceHandlesE', True),
                               ('_ZN6proxel6passes11scan_selectE', True),
                               ('_ZN6proxel6passes19ScanSelectConstants5namesE', True),
                               ('_ZN6proxel6passes15no_such_kind_ofE', False),
                               ('_ZN6proxel3cpu7kernelsEv', False),
                               ('_ZN6proxel13no_such_thingEv', False),
                               ('_ZN3fmt2v96detail9assert_okEv', False),
                               ('_ZNSt6vectorIN6proxel5RangeEE5clearEv', False)):
            self.assertEqual(declared(identifiers(name)), expected, name)

    def test_name_and_version(self):
        library = shared_library()
        self.assertEqual(library.resolve().name, 'libproxel.so.' + os.environ['PROXEL_VERSION'])
        self.assertIn('soname: [libproxel.so.0]', self.succeed('readelf', '-d', library))

    # Two and a half times as much as the Vulkan backend alone takes, and two times CUDA's code of one architecture.
    @of_a_release
    @unittest.skipIf(' ' in os.environ['PROXEL_CUDA_ARCHITECTURES'], 'it has code of several CUDA architectures')
    def test_it_is_below_10_megabytes(self):
        stripped = self.folder / 'libproxel.so'
        self.succeed(os.environ['PROXEL_STRIP'], '--strip-unneeded', '-o', stripped, shared_library())
        self.assertLess(stripped.stat().st_size, 10_000_000)

    def test_drivers_and_compilers_of_shaders_are_not_needed_to_load_it(self):
        needed = re.findall(r'NEEDED.*\[(.*)\]', self.succeed('readelf', '-d', shared_library()))
        self.assertTrue(needed)
        self.assertEqual([name for name in needed if re.search('glslang|SPIRV|vulkan|cuda|cublas', name)], [])


if __name__ == '__main__':
    unittest.main()
