"""Times the same exact searches by proxel, scikit-learn, FAISS and PyTorch, those of them that are installed, in one run.

    compare_libraries.py [--rows 100000] [--dimensions 64] [--k 10] [--queries 1 100 1000] [--device cpu] [--seconds 1]

Rows and queries are random float32 under the Euclidean distance. Each library makes its index first, which is not timed, and
searches once without being timed. Its time is the median of as many repetitions as fill the seconds, at least three; arrays go in and come
out in host memory, but for PyTorch on a GPU, which is given its queries there. Ratios are to proxel's time: above 1 the other is
slower. Neighbours are checked against distances in float64: a library that finds other ones says how many of them are farther
than the true k-th.
"""
import argparse
import importlib.util
import statistics
import time

import numpy as np


def by_proxel(rows, device, k):
    import proxel

    index = proxel.Index(rows, metric="l2sq", device=device)
    return lambda queries: index.search(queries, k).indices


def by_scikit_learn(rows, device, k):
    from sklearn.neighbors import NearestNeighbors

    model = NearestNeighbors(n_neighbors=k, algorithm="brute").fit(rows)
    return lambda queries: model.kneighbors(queries, return_distance=False)


def by_faiss(rows, device, k):
    import faiss

    index = faiss.IndexFlatL2(rows.shape[1])
    index.add(rows)
    return lambda queries: index.search(queries, k)[1]


def by_torch(rows, device, k):
    import torch

    where = "cuda" if device.startswith("cuda") else "cpu"
    there = torch.from_numpy(rows).to(where)
    norms = (there * there).sum(1)
    most = max(1, (1 << 28) // len(rows))

    def search(queries):
        asked = torch.from_numpy(queries).to(where)
        found = [
            torch.topk(torch.addmm(norms, part, there.T, alpha=-2), k, largest=False).indices
            for part in asked.split(most)
        ]
        return torch.cat(found).cpu().numpy()

    return search


LIBRARIES = {
    "proxel": ("proxel", by_proxel),
    "scikit-learn": ("sklearn", by_scikit_learn),
    "FAISS": ("faiss", by_faiss),
    "PyTorch": ("torch", by_torch),
}


def fast_blas():
    """The libraries of matrix products in this process that scikit-learn's threadpoolctl knows."""
    try:
        from threadpoolctl import threadpool_info
    except ImportError:
        return "unknown, as threadpoolctl is not installed"
    found = {
        f"{one['internal_api']} {one['version']}, {one['num_threads']} threads"
        for one in threadpool_info()
        if one["user_api"] == "blas"
    }
    return "; ".join(sorted(found)) or "none that is fast; scikit-learn and FAISS would be quicker with OpenBLAS or MKL"


def median_milliseconds(search, queries, seconds):
    times, began = [], time.perf_counter()
    while len(times) < 3 or time.perf_counter() - began < seconds:
        one = time.perf_counter()
        search(queries)
        times.append((time.perf_counter() - one) * 1e3)
    return statistics.median(times)


def farther(rows, queries, found):
    """How many of the neighbours found are farther than the true k-th, by more than float32 can tell."""
    wrong = 0
    for query, indices in zip(queries.astype(np.float64), np.asarray(found)):
        distances = ((rows - query) ** 2).sum(1)
        kth = np.partition(distances, len(indices) - 1)[len(indices) - 1]
        wrong += int((distances[indices] > kth * (1 + 1e-5)).sum()) + len(indices) - len(set(indices.tolist()))
    return wrong


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--rows", type=int, default=100_000)
    arguments.add_argument("--dimensions", type=int, default=64)
    arguments.add_argument("--k", type=int, default=10)
    arguments.add_argument("--queries", type=int, nargs="+", default=[1, 100, 1000])
    arguments.add_argument("--device", default="cpu", help="proxel's; PyTorch is on the GPU where this is cuda:0")
    arguments.add_argument("--seconds", type=float, default=1)
    given = arguments.parse_args()
    random = np.random.default_rng(1)
    rows = random.random((given.rows, given.dimensions), np.float32)
    print(f"{given.rows} x {given.dimensions}, k = {given.k}, l2, proxel on {given.device}")
    searches = {}
    for name, (module, make) in LIBRARIES.items():
        if importlib.util.find_spec(module):
            searches[name] = make(rows, given.device, given.k)
        else:
            print(f"{name}: not installed")
    print(f"BLAS: {fast_blas()}")
    print(f"{'queries':>8}  {'library':<14}{'ms':>12}{'ratio':>9}  {'queries/s':>12}  farther than the k-th")
    for count in given.queries:
        queries = random.random((count, given.dimensions), np.float32)
        first = None
        for name, search in searches.items():
            wrong = farther(rows, queries[:20], search(queries)[:20])
            milliseconds = median_milliseconds(search, queries, given.seconds)
            first = first or milliseconds
            print(
                f"{count:>8}  {name:<14}{milliseconds:>12.3f}{milliseconds / first:>9.2f}  {count / milliseconds * 1e3:>12.0f}  {wrong}"
            )


if __name__ == "__main__":
    main()
