"""What a statement about a person, or a question about one, is about: food, home, work, … Pure; knows no database.

A question of daily life rarely shares a word with what it should bring up: "Suggest a birthday cake" is about food, and
so is "is allergic to peanuts"; a small model of meaning puts the two far apart. So the matters that products remember
of people are named here by their words, in any of their forms (they are stemmed); a word may belong to several.

A matter is stored with a statement's words as a term of its own, so that it is as rare as it is among what is known of
that person: where all is about travel, travel tells nothing.
"""

from collections.abc import Mapping

from memories import words

#: How an answer should be: what counts when somebody is told, shown or written something.
MANNER = "manner"
MANNER_TERM = "about:manner"

_SAID: dict[str, str] = {
    "food": """eat eating ate food diet dietary dinner lunch breakfast brunch supper meal menu restaurant recipe cook
        bake cake snack dish cuisine vegetarian vegan pescatarian halal kosher allergic allergy intolerant intolerance
        lactose gluten dairy nut peanut meat fish seafood shellfish vegetable fruit drink coffee tea beer wine alcohol
        spicy sweet taste hungry thirsty cafe picnic groceries""",
    "home": """live lives lived home house flat apartment city town village country address reside residence located
        location moved moving relocated neighbourhood neighborhood based local nearby weather""",
    "work": """work job employer employed employment company occupation profession career colleague boss manager team
        office salary hired promoted startup freelance coworker supervisor""",
    "people": """partner wife husband daughter son child children kid mother father mum mom dad parent sister brother
        sibling grandmother grandfather grandparent aunt uncle cousin friend family spouse married fiance girlfriend
        boyfriend boss manager supervisor colleague neighbour teacher deputy""",
    "pets": "pet dog cat puppy kitten greyhound parrot rabbit hamster horse vet",
    "health": """health healthy injury injured surgery operation pain ache sleep weigh weight heart medication
        medicine doctor illness disease condition disability disabled wheelchair accessibility accessible dyslexia
        asthma diabetes pregnant allergic allergy seasick therapy symptom blood""",
    "exercise": """run runs running runner race marathon train training trains workout gym exercise sport fitness swim
        swimming cycling bike yoga football tennis badminton cricket climbing hike rowing treadmill strength jog""",
    "travel": """trip travel flight fly plane airline airport train ferry cruise hotel hostel resort seat aisle
        passport visa journey vacation holiday destination itinerary ticket luggage abroad visit tour""",
    "money": """budget spend price pay paid payment billing billed bill invoice subscription refund refunded afford
        cost expensive cheap card bank euro dollar pound currency plan tier charge purchase money""",
    "time": """when schedule calendar meeting morning noon afternoon evening night timezone zone weekday weekend
        monday tuesday wednesday thursday friday saturday sunday hour deadline appointment availability""",
    "learning": """exam test study learn teach teacher tutor grade school course subject lesson homework university
        college mathematics math algebra geometry trigonometry physics chemistry biology history struggle score board
        curriculum""",
    "machines": """laptop computer phone device tablet browser windows linux mac macos android iphone editor ide
        terminal hardware screen watch firefox chrome""",
    "software": """code coding software deploy deployment release ship commit branch pull review python javascript
        java golang database server api webhook kubernetes docker cloud library framework bug error repository linter
        export import integration login""",
    "contact": "email e-mail mail telephone phone call sms text message contact reach notify notification channel chat",
    "tongue": "language speak english hindi spanish french german dutch portuguese chinese translate bilingual",
    "name": "name nickname pronoun addressed surname",
    "aim": "goal aim want hope dream bucket wish become achieve target ambition aspire intend",
    "likes": "like love enjoy favourite favorite hobby interest collect music film book game dislike hate",
    "skill": "know skill good strong strength weak weakness expertise beginner experience proficient fluent certified",
    MANNER: """answer reply respond response explain explanation tone formal informal formally casual casually concise
        brief short shorter long detailed detail bullet emoji example step hint paragraph wording jargon summary
        summarise summarize format style polite blunt encouraged encouragement scolded addressed introduction
        link option communicate communication background diagram drawing analogy""",
}


def _table() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for matter, said in _SAID.items():
        for term in words.terms(said):
            found.setdefault(term, set()).add(f"about:{matter}")
    return {term: frozenset(matters) for term, matters in found.items()}


_MATTERS = _table()


def terms(text: str) -> list[str]:
    """The matters that a text speaks of, each as a term (`about:food`) that no word can be."""
    return sorted({matter for term in words.terms(text) for matter in _MATTERS.get(term, ())})
