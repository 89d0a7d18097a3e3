"""What kind of thing a statement tells, and how much it matters; whether it is one that rules know at all. Pure.

Goes in: a statement in the third person. The first rule that fits counts. Importance is 1 to 10; 8 and above is what a
product should hardly ever leave out: health, names, how to be answered.
"""

import re
from dataclasses import dataclass

from memories.end_users.reading import others, verbs

PREFERENCE, FACT, GOAL = "preference", "fact", "goal"
PROCEDURE, RELATIONSHIP, EXPERTISE = "procedure", "relationship", "expertise"
ALL = frozenset({PREFERENCE, FACT, GOAL, PROCEDURE, RELATIONSHIP, EXPERTISE})

_HOW = (
    r"(?:also |always |really |absolutely |usually |often |mostly |mainly |currently |still |never "
    r"|just |now |already |both |no longer |generally |truly |deeply |strongly |personally "
    r"|particularly |especially |recently |finally |probably |maybe |definitely |sometimes |rarely "
    r"|actually |only |very much |quite |normally |regularly |typically |even |ever |\w+ly )*"
)
_NOT = r"(?:(?:does|do|did|is|are|has|have|would|can|could|will|should|must) not |cannot |no longer )?"
_BASE = "|".join(sorted(verbs.BASE))
_PRESENT = "|".join(sorted({verbs.third(verb) for verb in verbs.BASE} - verbs.BE - {"has", "does"}))
_LEAD = r"(?:(?:Next|This|By|Before|After|One|In) [^,]{2,40}?,? )?"
_S = rf"^{_LEAD}User {_HOW}{_NOT}{_HOW}"
_BE = rf"^{_LEAD}User {_HOW}(?:is|was|has been|became|has become|are) {_NOT}(?:not )?{_HOW}"


@dataclass(frozen=True)
class Kind:
    category: str
    importance: float


_RULES = tuple(
    (re.compile(pattern, re.IGNORECASE), Kind(category, importance))
    for pattern, category, importance in (
        # Health
        (
            r"^User\b(?!'s).*\b(?:allerg\w*|intoleran\w*|coeliac|celiac|anaphyla\w*|epipen|pacemaker|blood"
            r" type|insulin)\b",
            FACT,
            9.5,
        ),
        (
            r"^User (?:\w+ )*(?:diabet\w*|asthma\w*|epilep\w*|migraines?|adhd|autis\w*|dyslex\w*|pregnant"
            r"|wheelchair|colou?r[- ]?blind|blind|deaf|hard of hearing|depression|anxiety|bipolar|arthritis"
            r"|hypertension|blood pressure|heart condition|chronic \w+|cancer|disab\w*|medication)\b",
            FACT,
            9,
        ),
        (r"^User's (?:\w+ )?(?:allergy|allergies|blood type|medication|diagnosis|condition)\b", FACT, 9),
        # How to be spoken to
        (r"\bto be called\b|^User goes by\b|^User's (?:pronouns|preferred name|nickname)\b", PREFERENCE, 8.5),
        (
            r"^User (?:\w+ )?(?:wants?|does not want|prefers?|likes?|needs?|expects?|would (?:like|prefer"
            r"|love)) the assistant\b|^User (?:wants|prefers|likes|needs|would like|expects|does not want|does"
            r" not"
            r" like) (?:\w+ly |to (?:get|receive|have|be given) )?(?:no |more |less |very )?(?:[\w-]+"
            r" ){0,3}(?:answers?|repl(?:y|ies)|responses?|explanations?|emojis?|bullet points|small talk"
            r"|jargon|code (?:samples|examples)|tone)\b",
            PREFERENCE,
            8,
        ),
        (
            r"^User (?:prefers|wants|likes|would like|needs) (?:to be (?:contacted|reached|answered|addressed"
            r"|notified)|to communicate|contact by)\b",
            PREFERENCE,
            7.5,
        ),
        # Others
        (
            r"^User and their [\w ]+ (?:are (?:looking for|planning|saving|trying|hoping|moving)|want|plan"
            r"|hope|would (?:like|love)) ",
            GOAL,
            7,
        ),
        (
            rf"^User(?: and their|'s) (?:[\w-]+ ){{0,3}}?(?:{others.RELATION})\b(?!{others.NO_PERSON})(?:'s|"
            rf" [A-Z(]|,| is| are| was|"
            rf" has| have| and| [a-z]+s\b| [a-z]+\b)",
            RELATIONSHIP,
            6.5,
        ),
        (
            rf"{_S}(?:has|had|have|got|adopted|lost|raises?|is raising|is expecting|expects|welcomed)\b (?:a "
            rf"|an |one |two |three |four |five |six |\d+ |no |any |another |our |their |some )(?:[\w-]+"
            rf" ){{0,4}}?(?:{others.RELATION})s?\b(?!{others.NO_PERSON})",
            RELATIONSHIP,
            7,
        ),
        (
            rf"{_BE}(?:happily |newly |recently |getting )?(?:married|engaged|divorced|widowed|single|separated"
            rf"|dating|in a relationship|a (?:single )?(?:mother|father|mom|mum|dad|parent|grandmother"
            rf"|grandfather|twin)|an only child|the (?:youngest|oldest|eldest|middle))\b",
            RELATIONSHIP,
            7,
        ),
        (
            rf"{_S}(?:lives?|works?|shares?|travels?|rents?)\b.* with their (?:[\w-]+"
            rf" ){{0,2}}?(?:{others.RELATION})\b",
            RELATIONSHIP,
            6.5,
        ),
        (rf"^User (?:got |is getting )(?:married|engaged|divorced)\b|{_S}(?:married|marries)\b", RELATIONSHIP, 7),
        (rf"{_S}(?:knows|met|reports to|manages) (?:their |[A-Z])\w+.*\b(?:since|from|at|in|as)\b", RELATIONSHIP, 5.5),
        (r"^User broke up with\b", RELATIONSHIP, 6),
        (rf"{_S}(?:has lived|has been living)\b", FACT, 7.5),
        # Goals
        (
            r"^User's (?:[\w-]+ )*(?:goal|aim|dream|target|ambition|resolution|plan|objective|wish|bucket list"
            r"|deadline)s?\b(?: [\w-]+){0,3}(?: (?:is|are|for)\b)",
            GOAL,
            8,
        ),
        (
            rf"{_S}(?:wants?|would (?:like|love)|hopes?|plans?|aims?|intends?|needs?|has|have|wishes|decided"
            rf"|promised|tries|dreams?|wanted|planned|expects?|is (?:going|planning|hoping|trying|aiming"
            rf"|determined|about|set|due|supposed|working)|are (?:going|planning|hoping|trying)|will|is looking"
            rf"|has been (?:trying|planning|wanting)) (?:to|of|on|forward to|towards?)\b",
            GOAL,
            7,
        ),
        (
            rf"{_S}(?:(?:is|are|am|has been) )?(?:currently |now |also |still )?(?:saving (?:up )?(?:for|to)"
            rf"|training for|preparing (?:for|to)|studying for|working towards?|hoping for|looking for (?:a |an"
            rf" |some )?(?:new )?(?:job|flat|apartment|house|place|internship|position|work|role|mentor"
            rf"|co-?founder|investor|roommate)|applying (?:to|for)|getting ready for|planning (?:a|an|my|our"
            rf"|their|the)|considering|thinking (?:of|about)|toying with|cutting (?:down|back)|trying to|moving"
            rf" to|moving in|relocating|retiring|job[- ]hunting|house[- ]hunting)\b",
            GOAL,
            7,
        ),
        (
            rf"{_S}(?:dreams? (?:of|about)|looks? forward to|saves? (?:up )?for|trains? for|prepares? for"
            rf"|stud(?:y|ies) for)\b",
            GOAL,
            7,
        ),
        (rf"{_S}will (?:be )?(?:\w+)\b", GOAL, 6),
        (
            r"^User(?:'s)?\b.*\b(?:exam|test|quiz|interview|audition|race|match|competition|recital|defence"
            r"|defense|wedding|flight|marathon|appointment|surgery|trip|vacation"
            r"|holiday|conference|due date|deadline|launch|presentation|move)\b.*\(\d{4}",
            GOAL,
            7,
        ),
        (
            r"^When User was\b|^When \w+ .*\bUser(?:'s)? .*\b(?:was|were|had|lived|moved)\b|^When User"
            r" .*\b(?:was|were|moved|lived)\b",
            FACT,
            5.5,
        ),
        # Procedures
        (
            r"^(?!.*\bUser (?:\w+ed|was|went)\b)(?:when(?:ever)?|every time|each time|before|after|as soon as"
            r"|once|if|unless)\b.*\bUser\b",
            PROCEDURE,
            6.5,
        ),
        (rf"{_S}\w+\b.*\b(?:whenever|every time|each time|as soon as)\b", PROCEDURE, 6.5),
        (
            r"^User (?:always |usually |normally |typically |first |generally |never )+(?!likes?|loves?|hates?"
            r"|prefers?|wanted|wants)\w+\b.*\b(?:before|after|then|first|until|when|if|unless|once|without"
            r"|by)\b",
            PROCEDURE,
            6.5,
        ),
        (
            r"^User (?:starts|begins|ends|finishes) (?:every|each|their) (?:day|morning|evening|sprint|week"
            r"|work|project)\b",
            PROCEDURE,
            6,
        ),
        (
            r"^User's (?:[\w-]+ )*(?:workflow|process|routine|procedure|ritual|checklist|method|approach|setup"
            r"|pipeline|strategy|habit)s?\b",
            PROCEDURE,
            6.5,
        ),
        (
            r"^(?:The way User|To \w+[^,]*, User|In the (?:morning|evening)s?,? User|Every \w+,? User|On"
            r" \w+days,? User)\b",
            PROCEDURE,
            6,
        ),
        (
            r"^User (?:\w+ )?(?:learns?|understands?|concentrates?|works?|thinks?|sleeps?) (?:best|better"
            r"|faster|more easily)\b",
            PREFERENCE,
            7,
        ),
        (r"^User (?:uses|goes by|prefers) (?:the pronouns )?(?:she|he|they|xe|ze)/\w+", PREFERENCE, 8.5),
        (r"^User (?:\w+ )?keeps (?:kosher|halal|shabbat|sabbath)\b", PREFERENCE, 6.5),
        # Expertise
        (
            rf"{_S}(?:speaks?|understands?|knows?|codes?|programs?|masters?|mastered|dabbles?|teach(?:es)?|taught"
            rf"|tutors?|mentors?|specialises|specializes|majored|majors|holds? an?|has an? (?:[\w'-]+"
            rf" ){{0,2}}(?:degree|phd|ph\.d|master|mba|bachelor|doctorate|diploma|certificate|licen[cs]e|black"
            rf" belt|background)|has (?:\w+ ){{0,3}}(?:experience|years)|studied|graduated|is certified|has"
            rf" never (?:used|written|worked|programmed|coded|done|tried))\b",
            EXPERTISE,
            6.5,
        ),
        (
            rf"{_BE}(?:very |quite |pretty |rather |completely |totally |an? )?(?:good (?:at|with)|bad (?:at"
            rf"|with)|great (?:at|with)|terrible at|new to|fluent|proficient|experienced|familiar with|skilled"
            rf"|(?:absolute |total |complete )?beginner|(?:[\w-]+ ){{0,2}}expert|advanced|intermediate|novice"
            rf"|comfortable with|certified|self-taught|native (?:\w+ )?speaker|bilingual|trilingual|(?:[\w-]+"
            rf" ){{0,2}}specialist|not (?:good|great|familiar|experienced))\b",
            EXPERTISE,
            6.5,
        ),
        (
            rf"{_S}(?:has|have) (?:been )?(?:\w+ing|worked|used|programmed|coded|taught|played"
            rf"|written)\b.*\b(?:for (?:about |over |more than |almost |nearly |some |many |a |the (?:last"
            rf"|past) )*[\w-]+ (?:years?|months|decades?)|since)\b",
            EXPERTISE,
            6,
        ),
        (
            rf"{_S}(?:is learning|has been learning|is studying|is teaching|learns?|learnt|learned|stud(?:y"
            rf"|ies))\b",
            EXPERTISE,
            6,
        ),
        (
            rf"{_S}(?:can|could) (?:not )?(?:speak|play|read|write|code|program|swim|drive|cook|sing|fly|ride"
            rf"|type|ski|build|sew|dance|juggle|lift|bench|run)\b|^User cannot (?:speak|play|read|write|code"
            rf"|program|swim|drive|cook|sing|fly|ride|ski|sew|dance)\b",
            EXPERTISE,
            6,
        ),
        (
            rf"{_S}(?:struggles? with|has (?:trouble|difficulty|difficulties) with|finds? [\w ]+ (?:hard"
            rf"|difficult|easy|tricky|confusing)|excels? (?:at|in)|is (?:weak|strong|best|worst|struggling"
            rf"|excellent|fine) (?:in|at|with))\b",
            EXPERTISE,
            6,
        ),
        (
            r"^User's (?:spoken |written )?(?:English|German|French|Spanish|Italian|Dutch|Portuguese|Chinese"
            r"|Japanese|Arabic|Russian) (?:is|has)\b",
            EXPERTISE,
            6,
        ),
        # Preferences
        (
            r"^User (?:always|never|only|mostly|usually) (?:uses?|writes?|wears?|eats?|drinks?|buys?|orders?"
            r"|takes?|sits?|flies|travels?|pays?|books?|sleeps?|listens?)\b",
            PREFERENCE,
            6,
        ),
        (
            rf"{_S}(?:likes?|loves?|loved|enjoys?|enjoyed|prefers?|hates?|hated|dislikes?|disliked|adores?"
            rf"|despises?|detests?|can(?:not| not) stand|cannot bear|would rather|favou?rs?|cares? (?:about"
            rf"|for)|avoids?|minds?|fears?|misses|collects?|gave up|stopped|quit|refuses?|wants?|would prefer"
            rf"|needs?|is a (?:big |huge )?fan|eats?|drinks?|cooks?|listens? to|watch(?:es)?|reads?|plays?"
            rf"|smokes?|wears?|craves?|supports?|follows?|tends? to|trusts?)\b",
            PREFERENCE,
            5.5,
        ),
        (
            rf"{_BE}(?:an? )?(?:[\w-]+ )?(?:vegan|vegetarian|pescatarian|flexitarian|halal|kosher|keto|gluten[-"
            rf" ]free|teetotal|sober|into |not into|fond of|keen on|obsessed with|crazy about|mad about|a fan"
            rf" of|interested in|a (?:big |huge |massive )?(?:[\w-]+ ){{0,3}}(?:fan|lover|person|enthusiast"
            rf"|addict|geek|nerd|owl|bird)|afraid of|scared of|terrified of|passionate about|not a fan|addicted"
            rf" to|used to|picky)\b",
            PREFERENCE,
            6.5,
        ),
        (
            r"^User's (?:[\w-]+ )*(?:favou?rites?|preferences?|preferred|ideal|hobb(?:y|ies)|passions?|pet"
            r" peeves?|diet|taste|style|interests?|go-to|cup of tea)\b",
            PREFERENCE,
            6,
        ),
        (
            r"^User does not (?:\w+ )?(?:mind|eat|drink|smoke|like|enjoy|want|care|celebrate|use|trust|watch"
            r"|listen)\b|^User no longer (?:eats|drinks|smokes|likes|uses|wants|watches|plays)\b",
            PREFERENCE,
            6.5,
        ),
        (r"^User finds? (?:[\w'-]+ ){1,4}[\w-]+(?:ing|ful|ous|able|ant|ent)\b", PREFERENCE, 5.5),
        # Facts
        (r"^User's (?:full |first |last |middle |sur|family )?name is\b|^User is (?:called|named)\b", FACT, 9),
        (
            rf"{_S}(?:lives?|lived|moved|resides?|relocated|settled|grew up|was born|comes|came|is from|is"
            rf" based|is living|has lived|has been living|is originally)\b|{_BE}(?:from|based|living|originally"
            rf"|born|located|staying)\b",
            FACT,
            7.5,
        ),
        (
            rf"{_S}(?:works?|worked|joined|started|runs?|founded|co-founded|owns?|leads?|led|manages?|managed"
            rf"|heads?|retired|left|quit|teaches|volunteers?|freelances?|earns?|got (?:promoted|laid off|fired"
            rf"|hired|a (?:new )?job)|switched|changed jobs|reports|serves?|trained|interns?|drives?)\b"
            rf"|{_BE}(?:working|employed|self-employed|unemployed|retired|freelanc\w+|promoted|hired|running"
            rf"|building|leading|managing|on the \w+ team|on parental leave|on maternity leave|between jobs"
            rf"|laid off|in charge of|responsible for|writing a|developing|doing (?:a|my|their)|taking|raising"
            rf"|renting|migrating)\b",
            FACT,
            7,
        ),
        (
            rf"{_BE}(?:an? |the |on (?:the|a)? ?|in (?:my|their|the|his|her) |in (?:grade|year|class|\w+"
            rf" (?:grade|year))|\d+|\w+[- ]handed|\w+[- ]years?[- ]old|at (?:university|school|college))",
            FACT,
            7,
        ),
        (
            rf"{_S}(?:has|have|had|got|gets|uses?|used|owns?|owned|bought|buys|sold|sells|rents?|drives?|drove"
            rf"|commutes?|subscribes|subscribed|upgraded|downgraded|pays?|paid|wakes|woke|goes|gets up|sleeps?"
            rf"|weighs?|belongs|attends?|attended|goes|visited|travel(?:s|led|ed)?|met|built|builds?|made|makes"
            rf"|wrote|writes|published|won|passed|failed|finished|completed|broke|hurt|injured|ran|runs|flew"
            rf"|switched|migrated|deploys?|develops?|hosts?|maintains?|grows?|keeps?|spends?|spent|gave birth"
            rf"|celebrates?|turned|became|converted|registered|signed up|opened|closed|inherited|lost|found"
            rf"|took up|started|takes|received|suffers?|recovered|had surgery|was (?:born|raised|diagnosed"
            rf"|promoted|laid off|fired|hired|adopted|accepted|rejected|admitted)|exercises|meditates|jogs"
            rf"|swims|cycles|walks|trains|works out|prays|paints|sings|climbs|hikes|surfs|dances|gardens|bakes"
            rf"|knits|photographs|fishes|volunteers|skis|practi[sc]es|does|believes?|identifies|votes?"
            rf"|donates?)\b",
            FACT,
            5.5,
        ),
        (rf"{_BE}[\w-]+", FACT, 5.5),
        (
            r"^User's [\w' -]{2,60}? (?:is|are|was|were|has|have|costs?|includes?|runs? (?:on|out|until)"
            r"|expires?|starts?|ends?|uses?|consists?|needs?|lasts?|takes?|begins?|works?|lives?|moved|will"
            r"|does|do|deploys?|ships?|sells?|makes?|supports?|requires?|leaves?|arrives?|departs?|went (?:up"
            r"|down)|turns?|opens?|closes?|comes?|plays?|gives?|got|grew|passed|died|can|cannot|must|should)\b",
            FACT,
            6,
        ),
        (r"^(?:In|At|On|For|Since|As|With|During|Until|From)\b[^,]{2,40},? (?:they|User)\b", FACT, 5.5),
        (r"^(?:Last|Next|This) \w+(?: \([^)]*\))?,? User\b", FACT, 5.5),
        (
            rf"{_S}(?:adopted|served|installed|renovated|replaced|launched|signed|enrolled|painted|planted"
            rf"|invested|hiked|climbed|lectured|grew|emigrated|immigrated|trained|owned|raised)\b",
            FACT,
            5.5,
        ),
        (r"^User and (?:their|[A-Z])", RELATIONSHIP, 6.5),
        (
            rf"^(?:Most|Some|All|Many|None|Half|Both|One|Two|Three|Everyone|Everybody|Nobody) (?:of|in) User's"
            rf" (?:[\w-]+ )?(?:{others.RELATION})\b",
            RELATIONSHIP,
            5.5,
        ),
        (r"^(?:Most|Some|All|Many|None|Half|Both|One|Two|Three) of User's\b", FACT, 5.5),
        (
            r"^[\w' -]{2,40} (?:gives?|makes?|helps?|bores?|annoys?|scares?|calms?|triggers?|hurts?|relaxes"
            r"|stresses|upsets) (?:User|User's)\b",
            PREFERENCE,
            5,
        ),
        (r"^User (?:always|never|only) (?:\w+ly )?[a-z]+s\b", PREFERENCE, 5),
        (rf"^User's [\w' -]{{2,60}}? (?:only |also |never |always |usually )?(?:{_PRESENT})\b", FACT, 5.5),
        (rf"^[\w' -]{{2,40}} (?:{_PRESENT}) (?:User|them)\b", PREFERENCE, 5),
        # The simple present of a verb that is known tells what lasts.
        (
            rf"^User (?:\w+ly |often |sometimes |also |still )?(?:{_PRESENT})\b"
            rf"|^User (?:does not|cannot|can) (?:\w+ly |only |even )?(?:{_BASE})\b",
            FACT,
            5,
        ),
    )
)
_WEIGHTY = re.compile(
    r"\b(?:very important|extremely|crucial|always|never|must|strictly|severe(?:ly)?|hates?|absolutely"
    r"|cannot|deathly|only ever)\b",
    re.IGNORECASE,
)
_LIGHT = re.compile(
    r"\b(?:sometimes|occasionally|a bit|a little|kind of|sort of|now and then|once in a while|might"
    r"|maybe|perhaps)\b",
    re.IGNORECASE,
)
#: What a statement that no rule knows is taken for.
OTHER = Kind(FACT, 4.0)


def of(statement: str) -> Kind | None:
    """The kind that a rule tells; None where none does."""
    kind = next((kind for pattern, kind in _RULES if pattern.search(statement)), None)
    return Kind(kind.category, weighed(statement, kind.importance)) if kind else None


def weighed(statement: str, importance: float) -> float:
    """Importance with what the words add to it or take away, 1 to 10."""
    importance += 1.0 if _WEIGHTY.search(statement) else 0.0
    importance -= 1.0 if _LIGHT.search(statement) else 0.0
    return min(10.0, max(1.0, importance))
