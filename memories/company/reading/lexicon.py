"""The words by which documents say who and what: column headers, roles, suffixes, verbs. Data only; add words here."""

import re

PERSON, ORGANIZATION, TEAM, PRODUCT, PROJECT, PLACE, TOPIC = (
    "person", "organization", "team", "product", "project", "place", "topic",
)  # fmt: skip

# A column's or label's name -> what its cell holds. Read as whole words, in lower case; the first that fits counts.
HOLDERS: tuple[tuple[str, str], ...] = (
    (r"owner|owned by|lead|led by|manager|managed by|head|director|contact|poc|author|responsible|accountable"
     r"|assignee|maintainer|sponsor|approver|reviewer|deputy|supervisor|reports to|people|person|who|employee"
     r"|champion|chair|coordinator|founder|ceo|cto|cfo|coo|on[- ]call|account executive|account manager|csm"
     r"|engineer|designer", PERSON),
    (r"team|squad|department|division|chapter|guild", TEAM),
    (r"customer|client|vendor|supplier|partner|company|organi[sz]ation|account|agency|employer|competitor|investor"
     r"|subsidiary", ORGANIZATION),
    (r"project|initiative|program(?:me)?|workstream|engagement", PROJECT),
    (r"product|service|system|application|app|tool|platform|component|module|repository", PRODUCT),
    (r"location|office|city|country|region|headquarters|based in", PLACE),
)  # fmt: skip

# A column's or label's name -> how its holder stands to what the row is about: (predicate, holder is the subject).
TIES: tuple[tuple[str, tuple[str, bool]], ...] = (
    (r"reports to|supervisor", ("reports to", False)),
    (r"owner|owned by|responsible|accountable|assignee", ("owns", True)),
    (r"lead|led by|head|director|chair|coordinator|champion", ("leads", True)),
    (r"manager|managed by|account manager|account executive|csm", ("manages", True)),
    (r"maintainer", ("maintains", True)),
    (r"contact|poc", ("is contact for", True)),
    (r"sponsor", ("sponsors", True)),
    (r"approver", ("approves", True)),
    (r"founder", ("founded", True)),
    (r"team|squad|department|division|chapter|unit", ("member of", False)),
    (r"employer|company", ("works for", False)),
    (r"customer|client", ("is for", False)),
    (r"vendor|supplier", ("is supplied by", False)),
    (r"location|office|city|country|region|site|headquarters|based in", ("located in", False)),
)

# What a sentence's verb says: (pattern between two names, predicate, whether the first name is the subject).
VERBS: tuple[tuple[str, str, bool], ...] = (
    (r"(?:now |also |currently )?reports? (?:directly )?to", "reports to", True),
    (r"(?:now |also |currently )?(?:leads?|heads?(?: up)?|runs?|directs?|chairs?)", "leads", True),
    (r"(?:now |also |currently )?owns?", "owns", True),
    (r"(?:now |also |currently )?(?:manages?|oversees?)", "manages", True),
    (r"(?:now |also |currently )?maintains?", "maintains", True),
    (r"(?:co-)?founded", "founded", True),
    (r"(?:works?|working) (?:for|at)|(?:has )?joined|is employed (?:by|at)", "works for", True),
    (r"(?:is|are|was|were) (?:now )?(?:led|headed|run|directed|chaired) by", "leads", False),
    (r"(?:is|are|was|were) (?:now )?owned by|belongs to", "owns", False),
    (r"(?:is|are|was|were) (?:now )?(?:managed|overseen) by", "manages", False),
    (r"(?:is|are) maintained by", "maintains", False),
    (r"(?:is|are) (?:a |an |one |our )?(?:part|subsidiary|division) of", "part of", True),
    (r"(?:is|are) (?:a |an |our )?(?:\w+ )?(?:client|customer) of", "client of", True),
    (r"(?:is|are) (?:a |an |our )?(?:\w+ )?(?:supplier|vendor) of", "supplier of", True),
    (r"(?:is|are) (?:a |an |our )?(?:\w+ )?partner of|partners? with", "partner of", True),
    (r"(?:is|are) (?:based|located|headquartered) in", "located in", True),
    (r"acquired|bought", "acquired", True),
    (r"depends on|runs on|is built on", "depends on", True),
    (r"replaces|replaced|supersedes", "replaces", True),
)

# A role that means leading, and any role (told as a property).
LEADING = r"(?:head|lead|leader|director|manager|chief|owner|president|chair|founder|principal|vp|vice president)"
ROLE = (
    r"(?:[A-Za-z-]+ ){0,3}(?:head|lead|leader|director|manager|officer|owner|president|chair|founder|engineer|designer"
    r"|developer|analyst|architect|consultant|specialist|coordinator|administrator|assistant|accountant|counsel|lawyer"
    r"|recruiter|partner|scientist|strategist|researcher|writer|editor|supervisor|executive|advisor|adviser|ceo|cto|cfo"
    r"|coo|liaison|representative|contact|technician|nurse|teacher|operator|buyer|planner|controller|secretary)"
)

ORGANIZATION_SUFFIX = (
    r"(?:Inc|Incorporated|Ltd|Limited|LLC|LLP|GmbH|AG|SE|Corp|Corporation|S\.?A|B\.?V|Oy|AB|ApS|PLC|Plc|Holdings"
    r"|University|Foundation|Bank|Airlines|Logistics|Industries)"
)
RELATION_TO_US = r"(?:client|customer|supplier|vendor|partner|competitor|investor)"

# Words that open sentences, headings and buttons in capitals, and are never part of a name.
NO_NAME = frozenset(
    """the a an this that these those it its he she we you they i our your their his her my if when where why how what
    who which while for from with without in on at to by of as and or but so not no yes all any each every some
    more most other please note see use click select open go read write send ask create add submit check make sure
    do don't can will must should may might do be is are was were has have had after before during once then here
    there now new old first second third last next previous step part section chapter page table figure example
    examples january february march april june july august september october november december monday tuesday
    wednesday thursday friday saturday sunday jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri
    sat sun q1 q2 q3 q4 today tomorrow yesterday vacant tbd tba none n/a unknown everyone anyone someone nobody
    team teams staff us faq total sum together altogether others various several both""".split()  # noqa: SIM905  (a paragraph to read)
)


# Words that make a capitalised pair a function, a thing or a form, and never a person.
NO_PERSON = frozenset(
    """account accounting accounts acquisition action admin administration advisor agency agile analysis analytics app
    application approval assistance audit benefits bias board branch budget building business calendar care career
    category cathedral center centre certificate chapter chat city client code cohort college committee
    communications community company compliance consulting contact content contract contracting control coordinator
    core council counter credit customer dashboard data date deal depot deputy design desk development digital
    director division docs document documents drive email employee employees engagement engineer engineering
    enterprise event events executive experience express facilities federal field file finance form forms front
    general global google government group groups guide guild handbook harbor harbour health help hiring home hotel
    house hr human incident information infrastructure innovation insurance internal international island it job
    knowledge lab labor labs lead leader leadership learning legal level library line link links list lists
    logistics management manager marketing master meeting model monitoring museum name national network office
    officer onboarding online operations order owner partner partners partnerships payments people performance plan
    planning platform plaza policy portal portfolio practice privacy process procurement product production program
    project projects public purchase quality queue records recruiting regional release remote report research
    reserve resource resources response review reviewer risk road sales schedule school security self senior server
    service services shared slack software solution solutions source special specialist square staff standard
    standards state states station status strategy street studio success supervisor supply support survey system
    systems talent task tech technical technology template test testing ticket time tool tools training transit
    travel type types unconscious unit united university unnamed user users vendor vice warehouse web wiki work
    workforce working workspace writing yard""".split()  # noqa: SIM905  (a paragraph to read)
)


def fits(pattern: str, label: str) -> bool:
    """Whether a column's or label's name says so: as a whole, or as its last words ("Account owner")."""
    return (
        len(label) <= 30 and re.search(rf"(?:^|[ /])(?:{pattern})(?:s|\(s\))?:?$", label.casefold().strip()) is not None
    )


def holder(label: str) -> str:
    """The type of what stands under this column or label; empty if it names no kind of thing."""
    return next((kind for pattern, kind in HOLDERS if fits(pattern, label)), "")


def tie(label: str) -> tuple[str, bool] | None:
    """How what stands under this column or label is related to the row's subject."""
    return next((tie for pattern, tie in TIES if fits(pattern, label)), None)
