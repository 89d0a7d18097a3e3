"""`make bench`: each figure beside its target. Exits with 1 when one was missed."""

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from benchmarks import (
    agents,
    contradiction,
    dialogue,
    extraction,
    gateway,
    intake,
    pages,
    pruning,
    quality,
    recall,
    speed,
    writers,
)
from benchmarks.figures import Figure

CHECKOUT = Path(__file__).resolve().parent.parent
PARTS = ("quality", "speed", "gateway", "extraction")
#: Measured only when they are asked for.
ALONE: dict[str, Callable[[argparse.Namespace], Iterable[Figure]]] = {
    "agents": lambda options: agents.run(),
    "contradiction": lambda options: contradiction.run(tell=options.missed),
    "dialogue": lambda options: dialogue.run(options.file, ablation=options.ablation),
    "intake": lambda options: intake.run(options.messages),
    "pages": lambda options: pages.run(lighthouse=options.lighthouse),
    "pruning": lambda options: pruning.run(options.rows),
    "recall": lambda options: recall.run(foreign=options.foreign, tell=options.missed),
    "writers": lambda options: writers.run(),
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__)
    parser.add_argument("part", nargs="?", choices=(*PARTS, *ALONE), help="only this part")
    parser.add_argument("--file", type=Path, help="for dialogue: conversations with questions (benchmarks/dialogue.py)")
    parser.add_argument("--documents", type=Path, default=CHECKOUT / "examples")
    parser.add_argument("--questions", type=Path, default=CHECKOUT / "benchmarks" / "data" / "example_questions.jsonl")
    parser.add_argument("--messages", type=int, default=10_000, help="for intake: how many end users send")
    parser.add_argument("--foreign", type=int, default=recall.FOREIGN, help="for recall: memories of others beside")
    parser.add_argument("--rows", type=int, default=pruning.ROWS, help="for pruning: how many calls have expired")
    parser.add_argument("--lighthouse", action="store_true", help="for pages: also what Lighthouse says of them")
    parser.add_argument("--ablation", action="store_true", help="also without each ingredient of the search")
    parser.add_argument(
        "--missed", action="store_true", help="also name what came out wrong: questions, memories of chats"
    )
    options = parser.parse_args()
    figures = []
    for figure in _figures(options):
        print(figure, flush=True)
        figures.append(figure)
    return 0 if all(figure.reached for figure in figures) else 1


def _figures(options: argparse.Namespace) -> Iterator[Figure]:
    if options.part in ALONE:
        yield from ALONE[options.part](options)
        return
    parts = [options.part] if options.part else PARTS
    if "quality" in parts:
        yield from quality.run(options.documents, options.questions, ablation=options.ablation, tell=options.missed)
    if "speed" in parts:
        yield from speed.run(options.documents)
    if "gateway" in parts:
        yield from gateway.run(options.documents)
    if "extraction" in parts:
        yield from extraction.run(
            CHECKOUT / "examples" / "chats", CHECKOUT / "benchmarks" / "data", tell=options.missed
        )


if __name__ == "__main__":
    sys.exit(main())
