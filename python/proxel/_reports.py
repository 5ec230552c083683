"""How a search went."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Tuple

from ._errors import check, text
from ._library import lib
from ._structs import new


@dataclass(frozen=True)
class Report:
    """What one search took and did, all of its queries together."""

    method: str  #: that answered: "fused", "scan"; "" where none did, as of no queries
    compared: int  #: pairs of a query and an object that nothing left out; 0 where the method does not count them
    evaluated: int  #: those of them whose distance was evaluated as it is returned
    upload_milliseconds: float  #: queries to the device, by the host's clock; the first search of a kind makes its plan in it
    compute_milliseconds: float  #: by the device's clock, where it has one
    readback_milliseconds: float  #: results to the host, by the host's clock
    total_milliseconds: float  #: the whole call, by the host's clock
    passes: Tuple[Tuple[str, float], ...]  #: name and milliseconds of each pass, of an index with timing="passes"
    rungs: Dict[str, int]  #: queries that each rung of a certified search decided

    def __str__(self) -> str:
        times = f"{self.total_milliseconds:.3f} ms, {self.compute_milliseconds:.3f} of them computing"
        return f"{self.method or 'nothing'}: {times}"


def report_of(answer: Any) -> Report:
    report = new("report")
    check(lib.proxel_answer_get_report(answer, report))
    return Report(
        text(report.method),
        report.compared,
        report.evaluated,
        report.upload_milliseconds,
        report.compute_milliseconds,
        report.readback_milliseconds,
        report.total_milliseconds,
        tuple((text(report.passes[i].name), report.passes[i].milliseconds) for i in range(report.pass_count)),
        {text(report.rungs[i].name): report.rungs[i].queries for i in range(report.rung_count)},
    )
