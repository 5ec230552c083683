"""proxel::mpi::ShardedIndex in C++, on several ranks."""

import os
import time
import unittest

from ranks import RANKS, MpiTest


class Library(MpiTest):
    program = os.environ["PROXEL_MPI_LIBRARY_TEST"]

    def test_answers_are_those_of_one_index(self):
        for ranks in RANKS:
            self.assertIn(f"the same on {ranks}", self.on_ranks(ranks))

    def test_messages_larger_than_one_may_be(self):
        self.assertIn("the same on 3", self.on_ranks(3, "large"))

    def test_an_exception_of_the_programs_own_ends_all(self):
        begin = time.monotonic()
        code, _, said = self.finish(self.start(3, "unwound"), 60)
        self.assertNotEqual(code, 0)
        self.assertIn("was ended by an exception outside of calls of the index", said)
        self.assertLess(time.monotonic() - begin, 10)


if __name__ == "__main__":
    unittest.main()
