"""What "cmake --install" puts into a folder of one's own, and what it says of it."""
import os
import re
import unittest

from support import Consumer


class Install(Consumer):
    def setUp(self):
        super().setUp()
        self.prefix = self.folder / 'prefix'
        self.said = self.succeed(os.environ['PROXEL_CMAKE'], '--install', os.environ['PROXEL_BUILD'], '--prefix', self.prefix)

    def test_where_it_is_found_is_said(self):
        [prefix, descriptions] = re.findall(r'proxel: CMake finds it with -DCMAKE_PREFIX_PATH=(\S+), '
                                            r'pkg-config with PKG_CONFIG_PATH=(\S+)', self.said)[0]
        self.assertEqual(prefix, str(self.prefix))
        self.assertTrue(os.path.isfile(os.path.join(descriptions, 'proxel.pc')), descriptions)

    def test_files_of_debian_stay_in_its_packages(self):
        documents = {str(path.relative_to(self.prefix)) for path in (self.prefix / 'share/doc').rglob('*') if path.is_file()}
        self.assertEqual(documents, {'share/doc/proxel/LICENSE'})


if __name__ == '__main__':
    unittest.main()
