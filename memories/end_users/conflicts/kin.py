"""What a word of a statement takes in or shuts out: steak is meat, a vegetarian eats none. Pure; short lists.

They say only what everyday statements about people need; what they don't know is left to meaning.
"""

from functools import lru_cache

from memories import words

_KINDS = {
    "meat": "steak beef pork chicken bacon ham lamb turkey sausage burger salami veal ribs duck bbq kebab",
    "fish": "salmon tuna cod sushi shrimp prawns trout sardines herring seafood",
    "seafood": "shrimp prawns lobster crab mussels oysters salmon tuna cod",
    "dairy": "milk cheese butter yoghurt yogurt cream",
    "egg": "eggs omelette omelettes",
    "honey": "honey",
    "alcohol": "wine beer whisky whiskey gin vodka rum cocktails champagne cider",
    "caffeine": "coffee espresso latte cappuccino",
    "gluten": "bread pasta pizza wheat beer",
    "sugar": "sweets candy chocolate cake cakes cookies desserts",
    "pet": "dog dogs cat cats hamster parrot rabbit puppy kitten",
    "children": "son sons daughter daughters kids kid child baby twins",
    "sibling": "sister sisters brother brothers",
    "car": "tesla volkswagen toyota bmw audi",
    "nuts": "peanuts almonds walnuts cashews hazelnuts peanut",
    "sport": "running football tennis swimming basketball cycling jogging",
}
#: What somebody of a diet does not eat.
SHUT_OUT = {
    "vegan": ("meat", "fish", "dairy", "egg", "honey"),
    "vegetarian": ("meat", "fish"),
    "pescatarian": ("meat",),
    "pescetarian": ("meat",),
}


def _stems(text: str) -> frozenset[str]:
    return frozenset(words.terms(text))


_MEMBERS = {next(iter(_stems(kind))): _stems(f"{kind} {members}") for kind, members in _KINDS.items()}


@lru_cache(maxsize=4_096)
def members(stem: str) -> frozenset[str]:
    """The stems that a kind takes in, itself among them; of anything else only itself."""
    return _MEMBERS.get(stem, frozenset({stem}))


@lru_cache(maxsize=4_096)
def kinds(stem: str) -> frozenset[str]:
    """The kinds that a stem belongs to, itself among them."""
    return frozenset({stem, *(kind for kind, inside in _MEMBERS.items() if stem in inside)})


def takes_in(general: frozenset[str], special: frozenset[str]) -> bool:
    """Whether each stem of `general` is, or takes in, a stem of `special`: {meat} takes in {steak, rare}."""
    return bool(general) and all(not members(stem).isdisjoint(special) for stem in general)


def shut_out(diet: str) -> frozenset[str]:
    """The stems of all that somebody of that diet does not eat."""
    return frozenset[str]().union(*(members(stem) for kind in SHUT_OUT.get(diet, ()) for stem in _stems(kind)))
