"""The recipes of docs/several-machines.md, run as they stand there."""

import importlib.util
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import unittest

SOURCES = pathlib.Path(os.environ["PROXEL_SOURCES"])
PAGE = (SOURCES / "docs/several-machines.md").read_text(encoding="utf-8")
RECIPES = {name: code for name, code in re.findall(r"```python\n# (\w+)\n(.*?)```", PAGE, re.S)}
skipped = []


def lacks(*packages):
    return [name for name in packages if not importlib.util.find_spec(name)]


def free_port():
    """A port that nothing listens at; whatever else runs here may have taken any that is written down."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return str(one.getsockname()[1])


class Recipes(unittest.TestCase):
    def run_recipe(self, name, *start, needs):
        missing = lacks("numpy", "cffi", *needs)
        if missing:
            skipped.append(f"{name}: Python lacks {', '.join(missing)}")
            self.skipTest(skipped[-1])
        import numpy as np

        environment = dict(os.environ, PYTHONPATH=str(SOURCES / "python"), OMP_NUM_THREADS="1",
                           PYTHONDONTWRITEBYTECODE="1")
        self.assertLessEqual(len(RECIPES[name].splitlines()), 12)
        with tempfile.TemporaryDirectory() as folder:
            random = np.random.default_rng(1)
            rows = random.integers(0, 4, (500, 3)).astype(np.float32)
            queries = random.integers(0, 4, (20, 3)).astype(np.float32)
            np.save(f"{folder}/rows.npy", rows)
            np.save(f"{folder}/queries.npy", queries)
            pathlib.Path(folder, "recipe.py").write_text(RECIPES[name], encoding="utf-8")
            done = subprocess.run([sys.executable, *start, "recipe.py"], cwd=folder, env=environment, text=True,
                                  capture_output=True, timeout=120)
            if "without libuv support" in done.stderr:
                self.run_ranks(folder, environment)
            else:
                self.assertEqual(done.returncode, 0, done.stderr)
            found = np.load(f"{folder}/found.npy")
        # Ties are settled by the rows' numbers, as one stable sort does.
        distances = ((queries[:, None, :] - rows[None, :, :]) ** 2).sum(axis=2)
        expected = np.argsort(distances, axis=1, kind="stable")[:, :10]
        self.assertTrue((found == expected).all())

    def run_ranks(self, folder, environment):
        """The recipe of torchrun without it: that of a PyTorch without libuv, as Debian 13 has it, does not start."""
        ranks, port = [], free_port()
        for rank in range(3):
            own = dict(environment, RANK=str(rank), WORLD_SIZE="3", MASTER_ADDR="127.0.0.1", MASTER_PORT=port,
                       USE_LIBUV="0")
            ranks.append(subprocess.Popen([sys.executable, "recipe.py"], cwd=folder, env=own, text=True,
                                          stderr=subprocess.PIPE))
        try:
            said = [rank.communicate(timeout=120)[1] for rank in ranks]
        finally:
            for rank in ranks:
                rank.kill()  # one that hangs would keep what reads its output
        self.assertEqual([rank.returncode for rank in ranks], [0, 0, 0], said)

    def test_torchrun(self):
        # PyTorch 1.13 under Python 3.11 takes no 0 for these two, which is their default.
        self.run_recipe("torchrun", "-m", "torch.distributed.run", "--nproc_per_node", "3", "--master_port", free_port(),
                        "--redirects", "2", "--tee", "2", needs=("torch",))

    def test_dask(self):
        self.run_recipe("dask", needs=("distributed",))


if __name__ == "__main__":
    outcome = unittest.main(exit=False).result
    for reason in skipped:
        print(f"skipped: {reason}")
    if not outcome.wasSuccessful():
        sys.exit(1)
    sys.exit(77 if len(skipped) == len(RECIPES) else 0)
