"""Runs a program on several ranks, by whatever MPI the build found."""

import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "command_line"))

from support import CommandLineTest  # noqa: E402

MPIRUN = os.environ["PROXEL_MPIRUN"]
RANKS = (1, 2, 3, 5, 7)
# A test's machine has fewer processors than ranks, perhaps no ssh, and its user may be root.
OPEN_MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_plm": "isolated",
            "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_btl": "self,vader",
            "OMPI_MCA_btl_vader_single_copy_mechanism": "none", "OMPI_MCA_hwloc_base_binding_policy": "none",
            # The same of Open MPI from 5 on, whose ranks another program starts.
            "PRTE_ALLOW_RUN_AS_ROOT": "1", "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe", "PRTE_MCA_hwloc_default_binding_policy": "none"}


class MpiTest(CommandLineTest):
    def setUp(self):
        super().setUp()
        # Sessions of Open MPI are sockets, whose names have to be short.
        self.environment.update(OPEN_MPI, TMPDIR="/tmp")

    def start(self, ranks, *arguments):
        return self.start_program(ranks, self.program, *map(str, arguments))

    def start_in_shell(self, ranks, command):
        """A command that each rank's shell reads; $0 is the program."""
        return self.start_program(ranks, "/bin/sh", "-c", command, self.program)

    def start_program(self, ranks, *words):
        return subprocess.Popen([MPIRUN, "-n", str(ranks), *words], cwd=self.folder, text=True, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment,
                                start_new_session=True)

    def finish(self, started, seconds):
        """(exit code, stdout, stderr) of what must have ended by then."""
        try:
            out, said = started.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(started.pid, 9)
            out, said = started.communicate()
            self.fail(f"hung for {seconds} s\n{said}\n{out}")
        return started.returncode, out, said

    def on_ranks(self, ranks, *arguments):
        """What it prints, of a run that must succeed."""
        code, out, said = self.finish(self.start(ranks, *arguments), 240)
        self.assertEqual(code, 0, said + out)
        return out

    def refused_on(self, ranks, *arguments, seconds=10):
        """stderr of a run that must fail in time, telling once why."""
        begin = time.monotonic()
        code, out, said = self.finish(self.start(ranks, *arguments), seconds + 60)
        took = time.monotonic() - begin
        self.assertNotEqual(code, 0, said + out)
        self.assertLess(took, seconds, said)
        self.assertEqual(said.count("proxel: error: "), 1, said)
        return said
