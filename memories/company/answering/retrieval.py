"""One answer of `retrieve_memory`, whole: what the wire gives to the agent. Pure. Source: seed, `structuredContent`."""

from dataclasses import dataclass, field
from typing import Any

from memories.company.answering.findings import Findings, Phase, shown_path
from memories.company.answering.triage import Triage


@dataclass(frozen=True, slots=True)
class Retrieval:
    """One answer. `structured()` is the seed's `structuredContent`; `content_text` the report for the agent."""

    request_id: str
    readiness_state: str
    triage: Triage
    phase: Phase
    findings: Findings
    content_text: str
    duration_ms: int = 0
    estimated_tokens: int = 0
    model_calls: int = 0
    degraded_reason: str = ""
    stages: dict[str, float] = field(default_factory=dict)

    def structured(self) -> dict[str, Any]:
        return {
            "status": "ok",
            "memory_ready": True,
            "readiness_state": self.readiness_state,
            "content_text": self.content_text,
            "triage": self.triage.structured(),
            "phase1": self.phase.structured(),
            "retrieval": self.findings.structured(),
            "diagnostics": self._diagnostics(),
        }

    def sources(self) -> list[dict[str, str]]:
        """Every document that was quoted, once, the best first: title and source_path (REST twin, `sources`)."""
        origins = [origin for fact in self.findings.facts for origin in fact.origins]
        origins += [excerpt.origin for excerpt in self.findings.excerpts]
        return [
            {"title": title, "source_path": path}
            for path, title in {origin.source_path: origin.title for origin in reversed(origins)}.items()
        ][::-1]

    def _diagnostics(self) -> dict[str, Any]:
        return {
            "request_id": self.request_id,
            "duration_ms": self.duration_ms,
            "estimated_tokens": self.estimated_tokens,
            "sections_searched": [shown_path(target.tree_path) for target in self.phase.targets],
            "avg_relevance_score": self.findings.average_relevance,
            "gemini_calls_estimate": self.model_calls,
            "degraded": bool(self.degraded_reason),
            "degraded_reason": self.degraded_reason,
            "stages": self.stages,
        }
