"""What a state of company memory means to a person, in plain words, and what to do next. Shared by the pages."""

from dataclasses import dataclass

from memories.company.readiness import ReadinessReport
from memories.models import Readiness

State = Readiness.State


@dataclass(frozen=True, slots=True)
class Status:
    """How a page shows readiness: `tone` is ok, busy, bad or off; `step` names the next page, with its `step_label`."""

    state: str
    tone: str
    title: str
    sentence: str
    step: str = ""
    step_label: str = ""

    @property
    def is_moving(self) -> bool:
        """Whether the page should look again soon."""
        return self.tone == "busy"


SAID: dict[str, tuple[str, str, str]] = {
    State.NOT_PROVISIONED: (
        "bad",
        "No active plan",
        "Agents get no answers before this account has a plan. Ask the people who run this installation for one.",
    ),
    State.WAITING_FOR_SOURCES: (
        "off",
        "Nothing imported yet",
        "Agents find nothing before there are documents. Import a few: a folder of notes is enough to start.",
    ),
    State.PROCESSING: ("busy", "Reading your documents", "Agents can ask once the first documents are read."),
    State.SYNCING_TO_VM: ("busy", "Catching up", "The search index is being brought up to date."),
    State.READY_MINIMAL: (
        "busy",
        "Ready, and still reading",
        "Agents get answers now, and better ones as the rest comes in.",
    ),
    State.READY_RICH: ("ok", "Ready", "Everything that could be read is in memory. Agents can ask."),
    State.ERROR: (
        "bad",
        "No document could be read",
        "Sources gives the reason for each file. Import them again in another form.",
    ),
}
STEPS = {
    State.WAITING_FOR_SOURCES: ("sources", "Import documents"),
    State.ERROR: ("sources", "See the reasons"),
}


def status(report: ReadinessReport) -> Status:
    tone, title, sentence = SAID[report.state]
    if report.state == State.READY_RICH and report.latest_pipeline_status == "completed_with_errors":
        sentence += " Some files could not be read: Sources gives the reason for each."
    if report.estimated_wait_message:
        sentence = f"{sentence} {report.estimated_wait_message}"
    step, label = STEPS.get(State(report.state), ("", ""))
    return Status(report.state, tone, title, sentence, step, label)
