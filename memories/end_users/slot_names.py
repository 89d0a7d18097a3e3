"""What slots are called, and what can stand in them. Pure."""

import re
from collections.abc import Callable

from memories import words
from memories.end_users import slot_values, slot_words

_SAME = {
    "role": "job|profession|occupation|job title|job role|role|position|line of work|title at work",
    "employer": "employer|workplace|company|place of work",
    "residence": "city|home city|location|place of residence|home|current city|residence|town|place",
    "address": "address|home address|shipping address|delivery address|postal address",
    "origin": "hometown|home town|birthplace|place of birth|country of origin",
    "email": "email|e-mail|mail|email address|e-mail address|mail address",
    "phone": "phone|phone number|telephone|telephone number|mobile|mobile number|cell|cell number|cell phone number",
    "birthday": "birthday|date of birth|birth date|birthdate|dob",
    "timezone": "timezone|time zone|local time zone",
    "plan": "plan|subscription|subscription plan|tier|pricing plan|pricing tier|subscription tier|billing plan|package",
    "age": "age",
    "name": "name|full name",
    "preferred name": "nickname|preferred name",
    "surname": "last name|surname|family name",
    "diet": "diet|eating habits|dietary preference",
    "answer language": "preferred language|language|language preference|language of choice",
    "native language": "native language|mother tongue|first language",
    "editor": "editor|code editor|text editor|ide",
    "os": "os|operating system",
    "marital status": "marital status|relationship status",
    "weight": "weight|body weight",
    "height": "height|body height",
    "salary": "salary|income|annual income|yearly income|pay",
    "grade": "grade|grade level|school year|class",
    "school": "school|university|college",
    "pronouns": "pronouns",
    "budget": "budget",
}
_CANONICAL = {name: slot for slot, names in _SAME.items() for name in names.split("|")}
_LEAD = re.compile(r"^(?:(?:main|primary|current|new|default|present|actual|usual|latest|go-to|daily) )+")

_NOUNS = {
    "kids": "children",
    "sons and daughters": "children",
    "people": "members",
    "code editor": "editor",
    "text editor": "editor",
    "ide": "editor",
    "operating system": "os",
    "computer": "laptop",
    "e-mail client": "mail client",
}
_NO_EMPLOYER = re.compile(
    r"^(?:night|home|the moment|weekends?|noon|day|present|himself|herself|themselves|\d+\b.*|hours?|years?"
    r"|months?|python|java"
    r"|it|them|a living|clients?|customers?|children|people|data|.*\b(?:school|degree|exam|race|test)s?)$"
)
#: Attributes of which somebody has several, so that another one takes no one's place.
_MANY = re.compile(
    r"(?:.* )?(?:goal|hobby|interest|problem|issue|question|dream|skill|task|project|wish|habit|strength"
    r"|weakness|concern"
    r"|order|ticket|favourite|reason|idea|(?!pronouns|address|boss|wireless|business|class|cross|mess|fitness"
    r"|.*ss)\w+s"
    r"|children|people|team|thing|opinion|experience|background|feedback|health|mood|life|work)$"
)
_IS_JOB = re.compile(
    rf"(?!(?:very|so|too|quite|pretty|mostly|\w+ly) )(?:.*(?:{slot_words.JOB}|er|or|ist|ian|man|woman|ant|ent|cian)"
    rf"|[\w-]+ .+)$"
)
_YEARS = re.compile(r"(?:1[01]\d|12\d|[1-9]?\d)$")
_NO_PLACE = re.compile(r"(?:small|big|flat|house|apartment|dorm|studio|fear|countryside|city|alone)\b")
_FITTING: dict[str, Callable[[str], object]] = {
    "role": _IS_JOB.match,
    "employer": lambda value: not _NO_EMPLOYER.match(value),
    "age": _YEARS.match,
    "birthday": re.compile(r".*\d\d-\d\d").match,
    "birth year": str.isdigit,
    "timezone": lambda value: len(value) <= 40,
    "residence": lambda value: not _NO_PLACE.match(value),
}
_SCALES = (
    (
        "length",
        {
            "short": "short",
            "brief": "short",
            "concise": "short",
            "terse": "short",
            "long": "long",
            "detailed": "long",
            "lengthy": "long",
            "in-depth": "long",
            "thorough": "long",
            "comprehensive": "long",
        },
    ),
    ("tone", {"formal": "formal", "informal": "informal", "casual": "informal"}),
    ("theme", {"dark": "dark", "light": "light"}),
    ("seat", {"aisle": "aisle", "window": "window"}),
    ("units", {"metric": "metric", "imperial": "imperial"}),
    ("temperature", {"hot": "hot", "cold": "cold", "warm": "hot", "iced": "cold"}),
    ("size", {"small": "small", "large": "large", "big": "large"}),
    ("time", {"morning": "morning", "afternoon": "afternoon", "evening": "evening"}),
)
_STEMS_OF_SCALES = [frozenset(words.terms(" ".join(values))) for _, values in _SCALES]
_NOUN_OF_SCALE = {
    "answer": "answers",
    "reply": "answers",
    "replie": "answers",
    "response": "answers",
    "explanation": "answers",
    "theme": "mode",
}


def attribute(name: str) -> str:
    """The slot's name for an attribute: "job title" and "main job" are `role`, "favorite dish" is `favourite dish`."""
    name = name.replace("favorite", "favourite").replace("color", "colour").replace("preferred editor", "editor")
    bare = _LEAD.sub("", name)
    return _CANONICAL.get(bare, bare)


def is_known(slot: str) -> bool:
    """Whether a slot's name is one that statements of several forms fill."""
    return slot in _SAME


def named(name: str, found: re.Match[str]) -> str:
    """A slot's name with the match's noun in it."""
    if "{noun}" not in name:
        return name
    noun = words.fold(found["noun"])
    return name.replace("{noun}", _NOUNS.get(noun, attribute(noun)))


def is_attribute(name: str) -> bool:
    """Whether the name is one of those that a slot has."""
    return name in _CANONICAL


def holds_one(attribute: str) -> bool:
    """Whether a person has only one of it, as far as a list knows."""
    return not _MANY.match(attribute)


def fits(name: str, value: str) -> bool:
    """Whether a value can stand in the slot."""
    check = _FITTING.get(name)
    return bool(value) and (check is None or bool(check(value)))


def choice(predicate: str) -> tuple[str, str] | None:
    """A preference that shuts the other one out: "prefers tea to coffee", "prefers short answers"."""
    text = words.fold(predicate)
    if found := re.match(
        r"(?:would )?(?:rather|prefers?|favou?rs?) (.+?) (?:over|to|than|rather than|instead of) (?!be\b)(.+)", text
    ):
        one, other = (slot_values.normal(slot_values.cut(part)) for part in found.groups())
        return " or ".join(sorted((one, other))), one
    if not (
        found := re.match(
            r"(?:prefers?|wants?|needs?|(?:always |usually )?(?:uses?|books?|takes?|chooses?|picks?)|favou?rs?"
            r"|asks for) (?:an? )?(?:\w+ly )?([\w-]+) ([\w-]+)",
            text,
        )
    ):
        return None
    for scale, values in _SCALES:
        if found[1] in values:
            noun = found[2].removesuffix("s") if not found[2].endswith("ss") else found[2]
            return f"{_NOUN_OF_SCALE.get(noun, noun)} {scale}", values[found[1]]
    return None


def are_opposites(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two sets of stems part by words of one scale: who dislikes long meetings may like short ones."""
    apart = one - other, other - one
    return any(all(not side.isdisjoint(scale) for side in apart) for scale in _STEMS_OF_SCALES)


def is_habit(text: str) -> bool:
    """Whether a folded predicate tells what is so each time, not what happened once or is still to come."""
    first = text.split(" ", 1)[0]
    once = re.search(
        r"\b(?:ago|tomorrow|yesterday|last|next|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:19|20)\d\d|in "
        r"\d+)\b",
        text,
    )
    return (
        first.endswith("s")
        and first
        not in {
            "uses",
            "knows",
            "speaks",
            "supports",
            "wants",
            "plans",
            "needs",
            "likes",
            "hopes",
            "is",
            "has",
            "was",
            "does",
        }
        and not once
    )
