"""Runs a file of tests by pytest, as ctest wants to hear of it: 77 and a reason where nothing could be tried.

    run.py FILE [ARGUMENTS OF PYTEST]"""
import importlib.util
import pathlib
import sys

SKIPPED = 77


class Outcomes:
    """How many tests passed, and why others were skipped."""

    def __init__(self):
        self.passed, self.reasons = 0, []

    def pytest_runtest_logreport(self, report):
        if report.when == 'call' and report.passed:
            self.passed += 1
        if report.skipped:
            self.reasons.append(report.longrepr[2].removeprefix('Skipped: '))


def main():
    missing = [name for name in ('cffi', 'numpy', 'pytest') if not importlib.util.find_spec(name)]
    if missing:
        print(f'skipped: {sys.executable} has no {", ".join(missing)}')
        return SKIPPED
    import pytest

    outcomes = Outcomes()
    file = pathlib.Path(__file__).resolve().parent / sys.argv[1]
    code = pytest.main(['-q', '-p', 'no:cacheprovider', str(file), *sys.argv[2:]], plugins=[outcomes])
    if code == pytest.ExitCode.OK and outcomes.passed == 0 and outcomes.reasons:
        print('skipped:', outcomes.reasons[-1])
        return SKIPPED
    return int(code)


if __name__ == '__main__':
    sys.exit(main())
