"""What statements are about, where only one thing can hold."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.end_users import slots
from tests.requirements import requirement

SAID = {
    "User lives in Berlin.": ("residence", "berlin", False),
    "User now lives in Lisbon, Portugal, with his wife.": ("residence", "lisbon portugal", False),
    "User has moved to São Paulo last year": ("residence", "sao paulo", False),
    "User no longer lives in Berlin.": ("residence", "berlin", True),
    "User doesn’t live in Berlin anymore.": ("residence", "berlin", True),
    "User used to live in Berlin.": ("residence", "berlin", True),
    "User lives at 5 Mill Lane.": ("address", "5 mill lane", False),
    "User's sister lives in Rome.": ("sister residence", "rome", False),
    "User's sister Maria lives in Rome.": ("sister maria residence", "rome", False),
    "User works at Siemens.": ("employer", "siemens", False),
    "User works for Johnson and Johnson.": ("employer", "johnson and johnson", False),
    "User left his job at Siemens.": ("employer", "siemens", True),
    "User works as a nurse in Hamburg.": ("role", "nurse", False),
    "User's job title is Head of Data.": ("role", "head of data", False),
    "User is a software engineer.": ("role", "software engineer", False),
    "User's wife is a doctor.": ("wife role", "doctor", False),
    "User is vegan.": ("diet", "vegan", False),
    "User is no longer a vegetarian.": ("diet", "vegetarian", True),
    "User is on the Pro plan.": ("plan", "pro", False),
    "User upgraded from the Free plan to the Business plan.": ("plan", "business", False),
    "User's subscription changed from Basic to Pro.": ("plan", "pro", False),
    "User is 34 years old.": ("age", "34", False),
    "User has two kids.": ("number of children", "2", False),
    "User's team has 12 people.": ("team number of members", "12", False),
    "User's budget is $1,500.": ("budget", "$1500", False),
    "User's budget is about 50k.": ("budget", "50000", False),
    "User sleeps six hours a night.": ("sleeps # hours a night", "6", False),
    "User's name is Anna.": ("name", "anna", False),
    "User prefers to be called Max.": ("preferred name", "max", False),
    "User's e-mail address is Anna@Example.org.": ("email", "anna@example.org", False),
    "User's phone number is +49 30 123 45 67.": ("phone", "+49301234567", False),
    "User's birthday is on May 3rd.": ("birthday", "05-03", False),
    "User was born on 3 May 1990.": ("birthday", "1990-05-03", False),
    "User's exam is on 12 June 2027.": ("exam date", "2027-06-12", False),
    "User's exam is next Friday (2026-12-04).": ("exam date", "2026-12-04", False),
    "User's budget is $2,000 for the trip to Japan in May (2027-05).": ("budget", "$2000", False),
    "User's exam is tomorrow (2026-12-01).": ("exam date", "2026-12-01", False),
    "User moved to York yesterday (2026-11-29).": ("residence", "york", False),
    "User moved to York three weeks ago.": ("residence", "york", False),
    "User is from Brazil originally.": ("origin", "brazil", False),
    "User's deadline moved to Monday.": ("deadline date", "monday", False),
    "User's time zone is CET.": ("timezone", "cet", False),
    "User prefers answers in German.": ("answer language", "german", False),
    "User's preferred language is German.": ("answer language", "german", False),
    "User uses Vim as their main editor.": ("editor", "vim", False),
    "User's main editor is VS Code.": ("editor", "vs code", False),
    "User uses a ThinkPad as his laptop.": ("laptop", "thinkpad", False),
    "User's operating system is Fedora.": ("os", "fedora", False),
    "User's favorite color is blue.": ("favourite colour", "blue", False),
    "User has a dog named Rex.": ("dog name", "rex", False),
    "User's boss is Maria.": ("boss name", "maria", False),
    "User prefers tea over coffee.": ("coffee or tea", "tea", False),
    "User prefers coffee to tea.": ("coffee or tea", "coffee", False),
    "User prefers concise answers.": ("answers length", "short", False),
    "User wants detailed explanations.": ("answers length", "long", False),
    "User is married to Tom.": ("marital status", "married", False),
}
NO_SLOT = (
    "User owns a small bakery in Lyon.",
    "User likes tea.",
    "User loves coffee.",
    "User hates cilantro.",
    "User works at night.",
    "User plans to move to Lisbon.",
    "User is moving to Oslo in May.",
    "User is interested in history.",
    "User speaks English and German.",
    "User's goal is to run a marathon.",
    "User's job is stressful.",
    "User has a sister.",
    "User ran 5 km on Monday.",
    "User uses Windows 11.",
    "User lived in Berlin until 2020.",
    "User is a big fan of jazz.",
    "ユーザーは東京に住んでいます。",
    "",
)


@requirement("end-users:conflicts:slots")
@pytest.mark.parametrize("content", SAID)
def test_a_statement_stands_in_the_slot_that_it_fills(content: str) -> None:
    assert slots.of(content) == SAID[content]


@requirement("end-users:conflicts:slots")
@pytest.mark.parametrize("content", NO_SLOT)
def test_what_can_hold_beside_another_stands_in_no_slot(content):
    assert slots.of(content).name == ""


@requirement("end-users:conflicts:slots")
@pytest.mark.parametrize(
    ("content", "slots_of_it"),
    [
        (
            "User lives in Berlin and works at Siemens as a nurse.",
            [("residence", "berlin"), ("employer", "siemens"), ("role", "nurse")],
        ),
        ("User is a nurse living in Berlin.", [("role", "nurse"), ("residence", "berlin")]),
        ("User is a teacher from Lyon who loves hiking.", [("role", "teacher"), ("origin", "lyon")]),
        ("User is a 34-year-old designer at Acme.", [("age", "34"), ("role", "designer"), ("employer", "acme")]),
    ],
)
def test_a_statement_of_several_things_fills_several_slots(content: str, slots_of_it: list[tuple[str, str]]) -> None:
    assert [(slot.name, slot.value) for slot in slots.every(content)] == slots_of_it


@given(st.text(max_size=600))
def test_any_text_has_a_slot_that_fits_the_columns(content):
    for slot in (slots.of(f"User's {content}"), slots.of(f"User {content}"), slots.of(content)):
        assert len(slot.name) <= 60
        assert len(slot.value) <= 200
