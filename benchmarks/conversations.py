"""What end users of a product say, invented: the same at every run, and of every kind that is read for memories."""

import random
from collections.abc import Iterator

_CITIES = ("Lisbon", "Oslo", "Turin", "Graz", "Leeds", "Bergen", "Nantes", "Porto", "Ghent", "Malmo")
_WORK = ("a nurse", "a baker", "a data engineer", "a violin maker", "a teacher", "an electrician", "a midwife")
_FOOD = ("oat milk", "peanuts", "olives", "rye bread", "lentil soup", "mushrooms", "goat cheese", "coriander")
_TOPICS = ("Rust", "watercolours", "Portuguese", "bookbinding", "chess openings", "welding", "gardening", "statistics")
_KIN = ("My sister Ana", "My son Emil", "My neighbour Ravi", "My partner Lou", "My manager Ines", "My dog Biscuit")
_FORMS = (
    "I live in {city} and work as {work}.",
    "Actually I moved to {city} last month.",
    "I prefer {food} over {food2}. Please keep that in mind.",
    "I no longer eat {food}, it does not agree with me.",
    "{kin} loves {topic}. We talk about it every {day}.",
    "I want to learn {topic} before {month}. What should I start with?",
    "I have been doing {topic} for {years} years, so skip the basics.",
    "When you explain {topic} to me, start with an example and keep it short.",
    "Thanks! By the way, my order number is {number} and I use the Pro plan.",
    "How do I get from {city} to {city2}? I don't like flying.",
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
_MONTHS = ("March", "May", "June", "September", "November")


def said(users: int, count: int) -> Iterator[tuple[str, str]]:
    """(external id, text) of `count` messages, the users taking turns."""
    chance = random.Random(11)
    for number in range(count):
        text = _FORMS[chance.randrange(len(_FORMS))].format(
            city=chance.choice(_CITIES),
            city2=chance.choice(_CITIES),
            work=chance.choice(_WORK),
            food=chance.choice(_FOOD),
            food2=chance.choice(_FOOD),
            kin=chance.choice(_KIN),
            topic=chance.choice(_TOPICS),
            day=chance.choice(_DAYS),
            month=chance.choice(_MONTHS),
            years=chance.randint(2, 30),
            number=chance.randint(10_000, 99_999),
        )
        yield f"user-{number % users}", text
