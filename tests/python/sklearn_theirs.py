"""A plugin of pytest for scikit-learn's own tests: its estimators of neighbours are replaced by proxel's.

A test that asks for what proxel refuses by name (metrics, weights, sparse rows) is skipped, and so are those below."""
import re
import types

import pytest
import sklearn.neighbors

import proxel.sklearn

OURS = {name: getattr(proxel.sklearn, name) for name in proxel.sklearn.__all__}
#: What proxel's refusals say.
REFUSED = re.compile(r"is not served|takes dense rows")
ELSEWHERE = {
    "test_auto_algorithm": "asks which tree was made",
    "test_unsupervised_inputs": "gives another class's tree to a class of scikit-learn's, which proxel does not make",
    "test_k_and_radius_neighbors_duplicates": "holds the order of equal distances that its algorithms have",
    "test_precomputed_dense": "holds distances of float64 to ten decimals, and these are of float32",
    "test_isomap": "holds an embedding of distances of float64 to six decimals",
    "test_tsne": "holds an embedding of distances of float64 to six decimals",
}


def pytest_collection_modifyitems(items):
    for item in items:
        reason = ELSEWHERE.get(item.originalname)
        if reason:
            item.add_marker(pytest.mark.skip(reason=reason))
    for module in {item.module for item in items}:
        for name, ours in OURS.items():
            if hasattr(module, name):
                setattr(module, name, ours)
        if hasattr(module, "neighbors"):
            module.neighbors = types.SimpleNamespace(**{**vars(sklearn.neighbors), **OURS})


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    if call.excinfo and report.failed and REFUSED.search(str(call.excinfo.value)):
        report.outcome = "skipped"
        report.longrepr = (str(item.path), 0, "Skipped: " + str(call.excinfo.value).splitlines()[0])
