# %% [markdown]
# # Neighbours of real data
# Classes of forest cover by their nearest neighbours, handwritten digits on a plane, and a graph whose bytes are the same on every
# device. It takes proxel, scikit-learn and matplotlib, and runs as a script or, in editors that know `# %%`, cell by cell:
#
#     python3 neighbours_of_real_data.py [--covtype covtype.csv] [--output FOLDER]

# %%
import argparse
import hashlib
import pathlib
import time

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.manifold import Isomap
from sklearn.model_selection import cross_val_score, train_test_split
from sklearn.pipeline import make_pipeline

import proxel
from proxel.sklearn import KNeighborsClassifier, KNeighborsTransformer

arguments = argparse.ArgumentParser(description="Neighbours of real data")
arguments.add_argument(
    "--covtype",
    help="rows with the class in the last column; without it those that proxel's sources have, or the digits",
)
arguments.add_argument("--output", type=pathlib.Path, default=pathlib.Path("."), help="folder of the pictures")
arguments.add_argument("--device", default="auto")
given = arguments.parse_known_args()[0]
given.output.mkdir(parents=True, exist_ok=True)


# %% [markdown]
# ## What grows there
# CoverType: 54 measures of 30 m × 30 m cells in Colorado, and which of seven kinds of forest covers them (Blackard 1998). Each measure
# is divided by its standard deviation, a fifth of the rows is held out, and each of those has the class that most of
# its nearest neighbours have.


# %%
def labelled_rows():
    """Rows, their classes, and where they are from."""
    in_sources = pathlib.Path(__file__).resolve().parents[2] / "apps/data/covtype_20k.csv.gz"
    path = given.covtype or (in_sources if in_sources.exists() else None)
    if path is None:
        digits = load_digits()
        return digits.data.astype(np.float32), digits.target, "digits"
    table = proxel.read_table(path, labels="last", type="float32")
    return table.values, np.array(table.labels), pathlib.Path(path).name


rows, classes, source = labelled_rows()
rows = rows / np.maximum(rows.std(axis=0), np.float32(1e-6))
learnt, held_out, learnt_classes, held_out_classes = train_test_split(rows, classes, test_size=0.2, random_state=1)
ks = [1, 3, 5, 10, 20]
accuracies = {}
for weights in ("uniform", "distance"):
    accuracies[weights] = [
        KNeighborsClassifier(k, weights=weights, device=given.device)
        .fit(learnt, learnt_classes)
        .score(held_out, held_out_classes)
        for k in ks
    ]
print(
    f"{source}: {len(learnt)} rows, {len(held_out)} held out, accuracy of the nearest {accuracies['uniform'][0]:.4f}, "
    f"best {max(map(max, accuracies.values())):.4f}"
)

figure, axes = plt.subplots()
for weights, found in accuracies.items():
    axes.plot(ks, found, marker="o", label=f"weights: {weights}")
axes.set(xlabel="neighbours that vote", ylabel="accuracy", title=f"{source}, {len(held_out)} rows held out")
axes.legend()
figure.savefig(given.output / "classes.png", dpi=120)

# %% [markdown]
# ## Digits on a plane
# Isomap lays 1,797 images of digits out so that paths along the graph of neighbours keep their lengths. It takes the graph from
# proxel, as does any estimator of scikit-learn's with `metric="precomputed"`.

# %%
digits = load_digits()
graph_of = KNeighborsTransformer(n_neighbors=12, mode="distance", device=given.device)
plane = make_pipeline(graph_of, Isomap(n_neighbors=10, metric="precomputed")).fit_transform(digits.data)
by_position = cross_val_score(
    KNeighborsClassifier(15, device=given.device), plane.astype(np.float32), digits.target
).mean()
print(f"digits: classes from two coordinates alone, accuracy {by_position:.4f}")

figure, axes = plt.subplots(figsize=(7, 6))
points = axes.scatter(*plane.T, c=digits.target, cmap="tab10", s=6)
axes.legend(*points.legend_elements(), title="digit", loc="best", fontsize="small")
axes.set(title="1,797 digits by Isomap over proxel's graph", xticks=[], yticks=[])
figure.savefig(given.output / "digits.png", dpi=120)

# %% [markdown]
# ## The same bytes everywhere
# The graph of the ten nearest rows of every one of 2,000, found on every device of this machine: indices, order and the bits of
# distances agree.

# %%
some = rows[:2000]
hashes, milliseconds = {}, {}
for device in proxel.devices():
    if device.unusable is None:
        with proxel.Index(some, metric="l2", device=device.id) as index:
            index.knn_graph(10)  # compiles and warms
            began = time.perf_counter()
            graph = index.knn_graph(10)
            milliseconds[device.id] = (time.perf_counter() - began) * 1e3
        hashes[device.id] = hashlib.sha256(graph.indices.tobytes() + graph.distances.tobytes()).hexdigest()
        print(f"{device.id}: {milliseconds[device.id]:.1f} ms, {hashes[device.id]}")
assert len(set(hashes.values())) == 1, "devices disagree"

figure, axes = plt.subplots(figsize=(7, 1 + 0.5 * len(hashes)))
axes.barh(list(milliseconds), list(milliseconds.values()))
axes.set(
    xlabel="milliseconds", title=f"10 nearest of each of {len(some)} rows, SHA-256 {next(iter(hashes.values()))[:16]}…"
)
figure.tight_layout()
figure.savefig(given.output / "graph.png", dpi=120)
