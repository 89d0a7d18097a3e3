"""Which sections a question is looked up in, how wide the search is, and why, in plain words. Pure: it words what
search ranked and ranks nothing itself.

Source: seed `retrieve_memory`, `phase1`; contract company memory, "targeting".
"""

from collections.abc import Iterable, Sequence

from memories.company.answering import asked
from memories.company.answering.findings import Phase, Target
from memories.passages import FoundFact, FoundSection

MOST_SECTIONS = 8
#: A section that holds none of the facts is named only when it is this close to the best one.
_CLOSE = 0.6
_NARROW, _MODERATE = 2, 5
_CHARACTERS_PER_TOKEN = 4


def phase(query: str, sections: Sequence[FoundSection], facts: Sequence[FoundFact]) -> Phase:
    """`sections` and `facts` as search ranked them, best first."""
    best_in: dict[int, FoundFact] = {}
    for fact in facts:
        for origin in fact.sources:
            best_in.setdefault(origin.section_id, fact)
    chosen = list(_chosen(sections, best_in))
    said = asked.said_words(query)
    targets: dict[str, Target] = {}
    for section in chosen:
        reason = _reason(said, section, best_in.get(section.id))
        targets.setdefault(section.tree_path, Target(section.tree_path, reason))
    return Phase(
        strategy=_strategy(len(targets)),
        estimated_tokens=sum(len(section.text) for section in chosen) // _CHARACTERS_PER_TOKEN,
        targets=tuple(targets.values()),
    )


def _chosen(sections: Sequence[FoundSection], best_in: dict[int, FoundFact]) -> Iterable[FoundSection]:
    best = max((section.relevance for section in sections), default=0.0)
    fitting = (section for section in sections if section.id in best_in or section.relevance >= best * _CLOSE)
    return list(fitting)[:MOST_SECTIONS]


def _strategy(sections: int) -> str:
    if sections <= _NARROW:
        return "narrow"
    return "moderate" if sections <= _MODERATE else "broad"


def _reason(said: dict[str, frozenset[str]], section: FoundSection, fact: FoundFact | None) -> str:
    titled = asked.spoken_of(said, section.tree_path)
    told = [word for word in asked.among(said, section.terms) if word not in titled]
    reasons = []
    if titled:
        reasons.append(f"its place in the documents names {asked.listed(titled)}")
    if told:
        reasons.append(f"its text speaks of {asked.listed(told)}")
    if fact is not None:
        reasons.append(f"it holds a statement that fits by {round(fact.relevance * 100)} %")
    return _sentence(reasons or ["it is close in meaning to the question"])


def _sentence(reasons: list[str]) -> str:
    text = reasons[0] if len(reasons) == 1 else f"{', '.join(reasons[:-1])}, and {reasons[-1]}"
    return f"{text[0].upper()}{text[1:]}."
